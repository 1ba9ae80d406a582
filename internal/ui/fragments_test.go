package ui

import (
	"strings"
	"testing"

	"agentlens/internal/ui/highlight"
	"agentlens/internal/ui/uitest"
)

// Where colours are cut by a narrow line, the ellipsis stands as without them.
func TestPiecesAreCutAsOne(t *testing.T) {
	spans := []highlight.Span{{From: 10, To: 13, Class: highlight.String}, {From: 13, To: 16, Class: highlight.Key}}
	for _, s := range []string{"abcdefghi", "abc日本語", "日本", "abc"} {
		for width := range 12 {
			var a, b liner
			th := newTheme(false, noColour)
			a.reset(th, width, noShade)
			a.put(s, plain)
			b.reset(th, width, noShade)
			b.coloured(s, plain, 10, spans, newNeedle("b"), false)
			if a, b := uitest.Plain(a.String()), uitest.Plain(b.String()); a != b {
				t.Errorf("%q in %d cells: %q in one, %q in pieces", s, width, a, b)
			}
		}
	}
}

func TestColoursAreBounded(t *testing.T) {
	c := newColours(newTheme(false, trueColour))
	c.limit = 10_000
	spans := make([]highlight.Span, 100)
	doc := c.hl.Document(strings.Repeat("{\"a\": 1}\n", 100_000), highlight.JSON)
	for i := range 100 {
		c.take([]highlight.Coloured{{Chunk: doc.Chunk(i), Spans: spans}, {Chunk: doc.Chunk(i), Spans: spans}})
		c.frame = c.tick
		if c.bytes > c.limit || len(c.held) > 10 {
			t.Fatalf("%d bytes of %d chunks are kept", c.bytes, len(c.held))
		}
	}
	for _, h := range c.held {
		c.bytes -= h.bytes()
	}
	if c.bytes != 0 {
		t.Errorf("the count is off by %d bytes", c.bytes)
	}
}

// The cursor of a screen of 16 colours reverses them: code has none there.
func TestCursorWinsOverColours(t *testing.T) {
	th := newTheme(false, colours16)
	if th.sgr[cursorShade][codeKeyword] != th.sgr[cursorShade][plain] || th.sgr[noShade][codeKeyword] == th.sgr[noShade][plain] {
		t.Errorf("%q, %q", th.sgr[cursorShade][codeKeyword], th.sgr[noShade][codeKeyword])
	}
}
