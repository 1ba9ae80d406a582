package safe

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"agentlens/internal/redact"
)

// TestRanges divides a text with a secret at and inside the secret.
func TestRanges(t *testing.T) {
	const secret = "ghp_FAKEfake0123456789FAKEfake0123456789"
	const text = "a " + secret + " b\x1b[2J c"
	mask := "[REDACTED:github-token:1]"
	end := 2 + len(secret)
	for name, c := range map[string]struct {
		borders []int
		want    []string
	}{
		"no border":                   {nil, []string{"a " + mask + " b\x1b[2J c"}},
		"before, after":               {[]int{2, end}, []string{"a ", mask, " b\x1b[2J c"}},
		"across the end of a range":   {[]int{2, 10, end + 2}, []string{"a ", mask, " b", "\x1b[2J c"}},
		"two borders inside":          {[]int{1, 10, 20}, []string{"a", " " + mask, "", " b\x1b[2J c"}},
		"beyond the text, descending": {[]int{1, 0, 9999}, []string{"a", "", " " + mask + " b\x1b[2J c", ""}},
	} {
		g, err := NewGate(redact.Options{Level: redact.Default})
		if err != nil {
			t.Fatal(err)
		}
		raw, at := g.RangesJSON(text, c.borders)
		var whole string
		if err := json.Unmarshal([]byte(raw.String()), &whole); err != nil {
			t.Fatal(err)
		}
		var got []string
		from := 0
		for _, b := range append(at, len(whole)) {
			got = append(got, whole[from:b])
			from = b
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		joined := ""
		for i, part := range g.Ranges(text, c.borders) {
			joined += part.String()
			if want := visible(c.want[i]); part.String() != want {
				t.Errorf("%s, part %d: %q, want %q", name, i, part, want)
			}
		}
		if joined != g.Text(text).String() || strings.Contains(joined, "FAKE") {
			t.Errorf("%s: the parts are %q", name, joined)
		}
	}
}
