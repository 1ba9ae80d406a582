package export

import (
	"strings"
	"testing"
)

func TestFormatOf(t *testing.T) {
	for _, tc := range []struct {
		path   string
		ofView bool
		want   string
	}{
		{"run.md", false, "md"},
		{"/a.html/RUN.HTML", true, "html"},
		{"run.json", true, "json"},
		{"run.gemini.json", true, "gemini json"},
		{"run.Gemini.JSON", false, "json"},
		{"run.openai-responses.json", true, "openai-responses json"},
		{"run.pdf", true, ""},
		{"md", true, ""},
		{"", true, ""},
	} {
		var names []string
		for _, f := range FormatOf(tc.path, tc.ofView) {
			names = append(names, f.Name)
		}
		if got := strings.Join(names, " "); got != tc.want {
			t.Errorf("%s, of a view %t: %q, want %q", tc.path, tc.ofView, got, tc.want)
		}
	}
}
