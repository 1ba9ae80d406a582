package kit

import (
	"strings"
	"testing"

	"agentlens/internal/ui/highlight"
	"agentlens/internal/ui/uitest"
)

// A line painted in pieces is cut like a line painted at once.
func TestPiecesAreCutLikeOneText(t *testing.T) {
	spans := []highlight.Span{{From: 10, To: 13, Class: highlight.String}, {From: 13, To: 16, Class: highlight.Key}}
	for _, s := range []string{"abcdefghi", "abc日本語", "日本", "abc"} {
		for width := range 12 {
			var a, b LineWriter
			th := NewTheme(false, NoColour)
			a.Reset(th, width, NoShade)
			a.Put(s, Plain)
			b.Reset(th, width, NoShade)
			b.Coloured(s, Plain, 10, spans, NewNeedle("b"), false)
			if a, b := uitest.Plain(a.String()), uitest.Plain(b.String()); a != b {
				t.Errorf("%q in %d cells: %q at once, %q in pieces", s, width, a, b)
			}
		}
	}
}

func TestColoursAreBounded(t *testing.T) {
	c := NewColours(NewTheme(false, TrueColour))
	c.limit = 10_000
	spans := make([]highlight.Span, 100)
	doc := c.Hl.Document(strings.Repeat("{\"a\": 1}\n", 100_000), highlight.JSON)
	for i := range 100 {
		c.Take([]highlight.Coloured{{Chunk: doc.Chunk(i), Spans: spans}, {Chunk: doc.Chunk(i), Spans: spans}})
		c.Frame = c.Tick
		if c.bytes > c.limit || len(c.Chunks) > 10 {
			t.Fatalf("the cache keeps %d bytes of %d chunks", c.bytes, len(c.Chunks))
		}
	}
	for _, h := range c.Chunks {
		c.bytes -= h.bytes()
	}
	if c.bytes != 0 {
		t.Errorf("the byte count is off by %d", c.bytes)
	}
}

// With 16 colours, the cursor row is in reverse video and code on it has no colours.
func TestCursorWinsOverColours(t *testing.T) {
	th := NewTheme(false, colours16)
	if th.Sgr[CursorShade][CodeKeyword] != th.Sgr[CursorShade][Plain] || th.Sgr[NoShade][CodeKeyword] == th.Sgr[NoShade][Plain] {
		t.Errorf("%q, %q", th.Sgr[CursorShade][CodeKeyword], th.Sgr[NoShade][CodeKeyword])
	}
}
