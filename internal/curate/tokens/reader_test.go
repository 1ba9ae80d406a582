package tokens

import (
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
)

// TestSeam splits texts of every kind at every seam. With every counter, the parts count as
// much as the whole.
func TestSeam(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing in it runs at once: left out with -short")
	}
	g, cuts := newTexts(7), 0
	for range 400 {
		text := g.next()
		for at := len(text); at > 0; at-- {
			cut := seam([]byte(text[:at]))
			if cut == 0 {
				break
			}
			at = cut
			cuts++
			for _, c := range []Counter{&o200k, &cl100k, Estimate{}} {
				if whole, parts := c.Count(text), c.Count(text[:cut])+c.Count(text[cut:]); whole != parts {
					t.Fatalf("%s: cut at byte %d of %q: %d tokens, the whole has %d", c.Name(), cut, text, parts, whole)
				}
			}
		}
	}
	if cuts < 1000 {
		t.Errorf("only %d cuts were tried", cuts)
	}
}

func TestCountReader(t *testing.T) {
	g := newTexts(8)
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		text := g.next() + " " + g.next()
		for _, c := range []Counter{&o200k, &cl100k, Estimate{}} {
			got, err := countReader(c, iotest.HalfReader(strings.NewReader(text)), 8+rnd.IntN(200), 1<<20)
			if err != nil || got.Tokens != int64(c.Count(text)) || got.Bytes != int64(len(text)) || got.Exact != c.Exact() {
				t.Fatalf("%s: %+v, %v; want %d tokens of %d bytes: %q", c.Name(), got, err, c.Count(text), len(text), text)
			}
		}
	}
}

// TestCountReaderWithoutSeam checks that a stretch without a seam is cut anyway, and that
// the count is marked as inexact.
func TestCountReaderWithoutSeam(t *testing.T) {
	for _, text := range []string{strings.Repeat("a", 1000), strings.Repeat("中", 1000), strings.Repeat("\xff", 1000), strings.Repeat(" ", 1000)} {
		got, err := countReader(&o200k, strings.NewReader(text), 16, 100)
		whole := int64(o200k.Count(text))
		if err != nil || got.Exact || got.Bytes != int64(len(text)) || got.Tokens < whole || got.Tokens > whole+int64(len(text)/90) {
			t.Errorf("%.8q…: %+v, %v; the whole has %d", text, got, err, whole)
		}
	}
}

func TestCountReaderFails(t *testing.T) {
	broken := errors.New("broken")
	if _, err := CountReader(Estimate{}, io.MultiReader(strings.NewReader("a few words"), iotest.ErrReader(broken))); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}
