package output

import (
	"bufio"
	"strconv"
	"strings"

	"agentlens/internal/cli/number"
	"agentlens/internal/cli/session"
	"agentlens/internal/export/request"
	"agentlens/internal/model"
	"agentlens/internal/safe"
)

// tokenCount formats a number of tokens, or returns "–" if known is false.
func tokenCount(n int64, known bool) string {
	if !known {
		return "–"
	}
	return number.Short(n)
}

// barCells is the length of the longest bar.
const barCells = 20

// bar draws n as a bar whose length is proportional to n/most, in eighths of a cell. The bar of a positive n has
// at least one eighth.
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

// messageNumber returns the number of an entry's message in its thread, counted from 1, or "+" for an added message.
func messageNumber(e *model.Entry) string {
	if e.Index < 0 {
		return "+"
	}
	return strconv.Itoa(int(e.Index) + 1)
}

// ofThread returns the number of an entry's message and a space, or "" for an added message.
func ofThread(e *model.Entry) string {
	if e.Index < 0 {
		return ""
	}
	return messageNumber(e) + " "
}

// previewLen is the maximum length of a text in a table, in code points.
const previewLen = 56

// bufferSize is the size of the writes of long texts in bytes.
const bufferSize = 1 << 16

// flushed writes what is buffered and returns the first error.
func flushed(out *bufio.Writer, err error) error {
	if failed := out.Flush(); err == nil {
		err = failed
	}
	return err
}

func previewOf(g *safe.Gate, r *session.Replay, e *model.Entry) (string, error) {
	if e.Index < 0 {
		return g.PreviewPieces("", e.Text, previewLen).String(), nil
	}
	m := r.Thread.At(int(e.Index))
	read := r.Run.Text
	if e.Fate != model.WasChanged {
		read = func(m *model.Message) (string, error) { return r.Run.TextHead(m, safe.PreviewBytes(previewLen)) }
	}
	text, err := read(m)
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
	return g.PreviewOnce(text, previewLen).String() + calls, nil
}
