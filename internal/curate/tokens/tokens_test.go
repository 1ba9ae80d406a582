package tokens

import (
	"math"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestExact(t *testing.T) {
	for _, tc := range []struct {
		encoding, text string
		want           int
	}{
		{"cl100k", "", 0},
		{"cl100k", "hello world", 2},
		{"cl100k", "tiktoken is great!", 6},
		{"o200k", "tiktoken is great!", 6},
		{"cl100k", "antidisestablishmentarianism", 6},
		{"cl100k", "2 + 2 = 4", 7},
		{"cl100k", "<|endoftext|>", 7}, // as plain text, not as one special token
	} {
		c := named(t, tc.encoding)
		if got := c.Count(tc.text); got != tc.want || !c.Exact() {
			t.Errorf("%s of %q: %d, want %d", tc.encoding, tc.text, got, tc.want)
		}
	}
}

func TestFor(t *testing.T) {
	for model, want := range map[string]string{
		"gpt-4o-mini": "o200k", "openai:gpt-4o": "o200k", "openai/gpt-5.4": "o200k", "gpt-4-0613": "cl100k", "gpt-3.5-turbo": "cl100k",
		"o3-mini": "o200k", "o1": "o200k", "ft:gpt-4o-mini:org::id": "o200k", "gpt-35-turbo": "cl100k", "o1lab/claude-4": "estimate", "gpt-4turbo": "estimate", "claude-opus-4-5-20251101": "estimate", "": "estimate", "gemini-2.5-flash": "estimate",
	} {
		if got := For(model).Name(); got != want {
			t.Errorf("%q is counted by %s, want %s", model, got, want)
		}
	}
}

// TestEstimate checks that the estimate is close to the exact count for the kinds of text that
// fill a context.
func TestEstimate(t *testing.T) {
	for name, text := range map[string]string{
		"prose": strings.Repeat("The invoice is rounded per line, so a cent goes missing when the totals are summed up again. ", 20),
		"code":  strings.Repeat("func Round(x float64, places int) float64 {\n\tscale := math.Pow10(places)\n\treturn math.Floor(x*scale+0.5) / scale\n}\n", 20),
		"json":  strings.Repeat(`{"number":"INV-1960","lines":[{"net":1.26,"vat":0.24}],"paid":true}`+"\n", 20),
	} {
		got, want := Estimate{}.Count(text), named(t, "o200k").Count(text)
		if off := math.Abs(float64(got-want)) / float64(want); off > 0.15 {
			t.Errorf("%s: estimated %d, counted %d: off by %.0f %%", name, got, want, 100*off)
		}
	}
	if (Estimate{}).Count("") != 0 {
		t.Error("no text has no tokens")
	}
}

func TestNamed(t *testing.T) {
	for _, encoding := range []string{"o200k", "cl100k"} {
		if c := named(t, encoding); c.Name() != encoding || !c.Exact() {
			t.Errorf("%q gives the counter %q, exact %v", encoding, c.Name(), c.Exact())
		}
	}
	for _, name := range Names() {
		if c := named(t, name); c.Name() != name {
			t.Errorf("%q gives the counter %q", name, c.Name())
		}
	}
	for _, encoding := range []string{"", "p50k", "O200K"} {
		if c, err := Named(encoding); err == nil {
			t.Errorf("%q gives the counter %q", encoding, c.Name())
		}
	}
}

func named(t testing.TB, encoding string) Counter {
	t.Helper()
	c, err := Named(encoding)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestASCII compares the hand-written classes of the estimate with package unicode.
func TestASCII(t *testing.T) {
	if len(ascii) != utf8.RuneSelf {
		t.Fatalf("%d classes for %d characters", len(ascii), utf8.RuneSelf)
	}
	for i := range utf8.RuneSelf {
		want := punct
		switch r := rune(i); {
		case r == '\n' || r == '\r':
			want = newline
		case unicode.IsSpace(r) || r < ' ':
			want = space
		case unicode.IsLower(r):
			want = lower
		case unicode.IsUpper(r):
			want = upper
		case unicode.IsDigit(r):
			want = digit
		}
		if got := class(ascii[i] - '0'); got != want {
			t.Errorf("%#x is of class %d, want %d", i, got, want)
		}
	}
}
