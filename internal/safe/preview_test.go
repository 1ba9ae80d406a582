package safe

import (
	"fmt"
	"strings"
	"testing"

	"agentlens/internal/redact"
)

// knowing returns a gate that found a secret in another text.
func knowing(t testing.TB, text string) *Gate {
	g := defaultGate(t)
	g.See(text)
	return g
}

// sameAgain checks that the preview of a text in which nothing was found before is the one that a whole search makes, for a
// gate that knows the secrets of another text. It reports whether nothing was found.
func sameAgain(t *testing.T, text, other string, max int) (isClear bool) {
	t.Helper()
	ahead, ok := defaultGate(t).PreviewAhead(text, max)
	first, isClear := defaultGate(t).PreviewOnce(text, max)
	if ok != isClear || ok && ahead != first {
		t.Fatalf("ahead of its turn, the preview of %q is %q, %v, want %q, %v", text, ahead, ok, first, isClear)
	}
	if !isClear {
		return false
	}
	whole, stays := knowing(t, other).PreviewOnce(text, max)
	if ahead, ok := knowing(t, other).PreviewAhead(text, max); ok != stays || ok && ahead != whole {
		t.Fatalf("ahead of its turn, the preview of %q is %q, %v, want %q, %v", text, ahead, ok, whole, stays)
	}
	for _, least := range []int{ClearBytes(max), PreviewBytes(max), len(text)} {
		g := knowing(t, other)
		again, ok := g.PreviewClear(text[:min(len(text), least)], max)
		switch known := g.Known().Count() > 0; {
		case ok && again != whole || !known && again != first:
			t.Fatalf("%d bytes of %q: %q, want %q", least, text, again, whole)
		case !ok && !known:
			t.Fatalf("%d bytes of %q: found something in what was clear", least, text)
		}
	}
	return true
}

func TestPreviewClear(t *testing.T) {
	const max, secret = 20, "hunter2x!Q9zz"
	for _, inserted := range []string{"", secret, "token ghp_" + strings.Repeat("Ab3dE6gH9", 4), "aHVudGVyMnghUTl6eg", "hunter\\u0032x!Q9zz", "é\u200b\r\n\x1b[31m"} {
		for n := range 4*max + 40 {
			text := strings.Repeat("ab c", n)[:n] + inserted + strings.Repeat(" wörter\n", 400)
			for _, text := range []string{text, text[:n+len(inserted)]} {
				found := !sameAgain(t, text, "", max) || !sameAgain(t, text, "password="+secret, max)
				if inserted == "" && found {
					t.Fatalf("found something in %q", text)
				}
			}
		}
	}
	g := knowing(t, "password="+secret)
	if _, ok := g.PreviewClear("again "+secret+" and more", max); ok {
		t.Error("a known value is not found")
	}
	if got, _ := g.PreviewOnce("again "+secret+" and more", max); strings.Contains(got.String(), "hunter") {
		t.Errorf("got %q", got)
	}
	if _, isClear := g.PreviewOnce(strings.Repeat("a ", 500)+"password=other2x!Q9", max); isClear {
		t.Error("a secret behind the preview is not one of the text")
	}
}

func FuzzPreviewClear(f *testing.F) {
	f.Add("again hunter2x!Q9zz\n and more", "password=hunter2x!Q9zz", uint16(0), uint8(8))
	f.Add("a\x1b[31mhun\u200bter2x!Q9zz aHVudGVyMnghUTl6eg==", "password=hunter2x!Q9zz", uint16(40), uint8(30))
	f.Fuzz(func(t *testing.T, text, other string, n uint16, max uint8) {
		text = strings.Repeat("a b ", int(n%1000)) + text[:min(len(text), fuzzed)]
		sameAgain(t, text, other[:min(len(other), fuzzed)], int(max%60)+1)
	})
}

func BenchmarkPreview(b *testing.B) {
	texts := make([]string, 64)
	for i := range texts {
		texts[i] = strings.Repeat(fmt.Sprintf("%d: a line of words (with some = signs);\n\tanother one.", i), 50)
	}
	for name, preview := range map[string]func(g *Gate, text string){
		"once":  func(g *Gate, text string) { g.PreviewOnce(text, 56) },
		"clear": func(g *Gate, text string) { g.PreviewClear(text, 56) },
	} {
		b.Run(name, func(b *testing.B) {
			g := testGate(b, redact.Options{Level: redact.Default})
			for i := 0; b.Loop(); i++ {
				preview(g, texts[i%len(texts)])
			}
		})
	}
}
