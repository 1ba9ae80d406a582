package safe

import (
	"strconv"
	"strings"

	"agentlens/internal/redact"
)

// A Written counts the placeholders in an output whose texts were rearranged after the gate made them: a text may
// be there twice, or not at all. The zero value is ready to use.
type Written struct{ hits []hit }

// Add counts the placeholders in a part of the output.
func (w *Written) Add(text string) {
	for {
		i := strings.Index(text, redact.PlaceholderOpen)
		if i < 0 {
			return
		}
		text = text[i+len(redact.PlaceholderOpen):]
		end := strings.IndexByte(text, ']')
		if end < 0 {
			return
		}
		rule, digits, _ := cutLast(text[:end], ":")
		if n, err := strconv.Atoi(digits); err == nil {
			w.hits = append(w.hits, hit{rule, n})
		}
	}
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// Recount sets the counts of Found to the placeholders that were written. A record may hold texts that look like
// placeholders; those that the gate did not make are not counted.
func (g *Gate) Recount(w *Written) {
	g.Uncount()
	g.mu.Lock()
	list := make([]hit, 0, len(w.hits))
	for _, h := range w.hits {
		if g.rules[h.rule] && h.number >= 1 && h.number <= len(g.numbers) {
			list = append(list, h)
		}
	}
	g.mu.Unlock()
	g.count(list)
}
