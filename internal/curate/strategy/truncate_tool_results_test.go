package strategy

import (
	"slices"
	"testing"

	"agentlens/internal/curate/engine"
	"agentlens/internal/model"
)

func truncateToolResultsTrial() trial {
	return trial{
		plain: plainTruncateToolResults,
		chains: []string{
			"truncate_tool_results(5)", "truncate_tool_results(60)", "truncate_tool_results(40, exact=true)", "truncate_tool_results(50, keep=both)", "truncate_tool_results(30, keep=tail)", "truncate_tool_results(5) | sliding_window(6)",
		},
		large: []string{"truncate_tool_results(1000)"},
	}
}

func plainTruncateToolResults(_ *judge, s *plainStage, view []msg) []msg {
	out := slices.Clone(view)
	for i := range out {
		if limit := int32(s.number("max")); out[i].role == model.Tool && out[i].runes > limit {
			out[i].base.Tokens, out[i].base.Runes = cutText{max: limit, from: out[i].runes, suffix: s.word("suffix"), exact: s.boolean("exact")}.Guess(out[i].base)
			out[i].tokens, out[i].runes = out[i].base.Tokens, out[i].base.Runes
			out[i].edits += "cut "
		}
	}
	return out
}

// TestTruncateText checks the cut: code points, grapheme clusters, and a suffix longer than the
// limit.
func TestTruncateText(t *testing.T) {
	for _, tc := range []struct {
		text string
		cut  cutText
		want string
	}{
		{"abcdefghij", cutText{max: 6, suffix: "…"}, "abcde…"},
		{"abcdefghij", cutText{max: 6, suffix: "…", keep: "tail"}, "…fghij"},
		{"abcdefghij", cutText{max: 6, suffix: "…", keep: "both"}, "abc…ij"},
		{"abcdefghij", cutText{max: 3, suffix: "......"}, "..."},
		{"abcdefghij", cutText{max: 0, suffix: "x"}, ""},
		{"abcdefghij", cutText{max: 6, suffix: "...", exact: true, from: 10}, "abc..."},
		{"abcdefghij", cutText{max: 3, suffix: ".....", exact: true, from: 10}, "abcdefgh....."},
		{"abe\u0301\u0302cd", cutText{max: 4, suffix: "", exact: true, from: 7}, "abe\u0301"},
		{"日本語テスト", cutText{max: 3, suffix: "…"}, "日本…"},
		{"abe\u0301\u0302cd", cutText{max: 4, suffix: ""}, "ab"},
		{"x👩‍💻yz", cutText{max: 3, suffix: ""}, "x"},
	} {
		c := engine.Content{Original: tc.text, Text: []model.Piece{{Start: 0, End: len(tc.text)}}}
		tc.cut.Apply(&c)
		if got := model.Join(tc.text, c.Text); got != tc.want {
			t.Errorf("%q cut to %d (%s): %q, want %q", tc.text, tc.cut.max, tc.cut.keep, got, tc.want)
		}
	}
}
