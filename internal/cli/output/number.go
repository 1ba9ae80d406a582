package output

import (
	"strings"

	"agentlens/internal/cli/number"
	"agentlens/internal/cli/session"
	"agentlens/internal/export/request"
	"agentlens/internal/model"
	"agentlens/internal/safe"
)

// tokenCount writes the tokens of a sum of calls, "–" where none are known.
func tokenCount(n int64, known bool) string {
	if !known {
		return "–"
	}
	return number.Short(n)
}

// barCells is the length of the longest bar.
const barCells = 20

// bar draws n as a part of most, in eighths of a cell; anything above nothing shows.
func bar(n, most int64) string {
	eighths := int(n * barCells * 8 / most)
	if n > 0 {
		eighths = max(eighths, 1)
	}
	b := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		b += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return b
}

// previewLen is how much of a text a table row shows, in code points.
const previewLen = 56

func previewOf(g *safe.Gate, r *session.Replay, e *model.Entry) (string, error) {
	if e.Index < 0 {
		return g.PreviewPieces("", e.Text, previewLen).String(), nil
	}
	m := r.Thread.At(int(e.Index))
	text, err := r.Run.Text(m)
	if err != nil {
		return "", err
	}
	var names []string
	for _, j := range request.LeftCalls(m, e) {
		names = append(names, "→ "+m.Calls[j].Name)
	}
	calls := g.Line(strings.Join(names, " ")).String()
	if text == "" {
		return calls, nil
	}
	if calls != "" {
		calls = "  " + calls
	}
	if e.Fate == model.WasChanged {
		return g.PreviewPieces(text, e.Text, previewLen).String() + calls, nil
	}
	return g.Preview(text, previewLen).String() + calls, nil
}
