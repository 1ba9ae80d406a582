package picker

import (
	"strings"
	"testing"

	"agentlens/internal/library/search"
	"agentlens/internal/model"
	"agentlens/internal/ui/uitest"
)

func TestSpansOfHits(t *testing.T) {
	for _, c := range []struct {
		role             model.Role
		text, find, want string
		from             int
	}{
		{model.Tool, "  381→a\n  382→\n  383→b", "b", "a [b]", 0},
		{model.Tool, "81→a\n382→b c", "a", "[a] b c", 0},
		{model.Tool, "380→a\n381→b", "381", "a [381]→b", 0},
		{model.Tool, "a\nb", "a⏎b", "[a] [b]", 0},
		{model.Tool, "7 of 9\n12 →", "of", "7 [of] 9 12 →", 0},
		{model.Assistant, "1→2\n3→4", "4", "1→2 3→[4]", 0},
		{model.Tool, "long\nnext", "next", "ng [next]", 2},
	} {
		s := uitest.Gate(t).Line(c.text)
		h := &search.Hit{Role: c.role, Snippet: s, From: strings.Index(s.String(), c.find)}
		h.To = h.From + len(c.find)
		got := ""
		for _, p := range spansOf(h, c.from) {
			text := s.String()[p.from:p.to]
			switch {
			case p.from == p.to:
				text = " "
			case p.from >= h.From && p.to <= h.To:
				text = "[" + text + "]"
			}
			got += text
		}
		if got != c.want {
			t.Errorf("%q, found %q: %q, want %q", c.text, c.find, got, c.want)
		}
	}
}
