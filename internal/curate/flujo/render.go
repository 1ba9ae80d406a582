package flujo

import (
	"strings"
	"unicode/utf8"

	"agentlens/internal/model"
)

// The default template of a rendered history.
const (
	head = "--- Conversation History ---\n"
	tail = "\n-----------------------------\n"
)

// Rendered is the prompt block that flujo makes of a view: by its default
// template, or what a render_template stage made of it.
func Rendered(run *model.Run, t *model.Thread, v *model.View) (string, error) {
	var b strings.Builder
	for i := range v.Entries {
		e := &v.Entries[i]
		if e.Fate == model.WasDropped || e.Role != model.User && e.Role != model.Assistant {
			continue
		}
		text, err := run.EntryText(t, e)
		if err != nil {
			return "", err
		}
		if e.Index < 0 && strings.HasPrefix(e.By, "render_template") {
			return text, nil
		}
		b.WriteString(e.Role.String() + ": " + text + "\n")
	}
	if b.Len() == 0 {
		return "", nil // an empty history is not rendered
	}
	return head + b.String() + tail, nil
}

// OneText reports whether a view is one rendered text already, so that it cannot
// be held against another message by message.
func OneText(v *model.View) bool {
	for i := range v.Entries {
		if e := &v.Entries[i]; e.Index < 0 && strings.HasPrefix(e.By, "render_template") {
			return true
		}
	}
	return false
}

// limit is the length in code points that flujo cuts a recorded prompt to; the
// last three become dots.
const limit = 1000

// mask is what flujo puts in place of a key it knows.
const mask = "[REDACTED]"

// A Held is a rendered history held against the recorded one.
type Held struct {
	Equal bool // as far as the record goes
	Cut   bool // the record holds the beginning only
	// Compared counts the code points of the record that were compared, up to
	// the first that differs.
	Compared int
	// Recorded and Rendered are the lines where they part.
	Recorded, Rendered Line
}

// A Line is a stretch of a text, in bytes.
type Line struct {
	Text       string // the whole text
	Start, End int
}

// Pieces is the line as pieces of its text.
func (l Line) Pieces() []model.Piece { return []model.Piece{{Start: l.Start, End: l.End}} }

// Hold holds a rendered history against the recorded one, up to its cut. A mask
// in the record stands for any key.
func Hold(recorded, rendered string) Held {
	h := Held{Cut: strings.HasSuffix(recorded, "...") && utf8.RuneCountInString(recorded) == limit}
	if h.Cut {
		recorded = strings.TrimSuffix(recorded, "...")
	}
	i, j := 0, 0
	for i < len(recorded) && j < len(rendered) {
		if strings.HasPrefix(recorded[i:], mask) && !strings.HasPrefix(rendered[j:], mask) {
			from := j
			for j < len(rendered) && keyChar(rendered[j]) {
				j++
			}
			if j > from {
				i += len(mask)
				continue
			}
		}
		if recorded[i] != rendered[j] {
			break
		}
		i++
		j++
	}
	h.Equal = i == len(recorded) && (j == len(rendered) || h.Cut)
	h.Compared = utf8.RuneCountInString(recorded[:i])
	if !h.Equal {
		h.Recorded, h.Rendered = lineAt(recorded, i), lineAt(rendered, j)
	}
	return h
}

func keyChar(c byte) bool {
	return c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

// lineAt is the line of s that byte i stands in.
func lineAt(s string, i int) Line {
	from := strings.LastIndexByte(s[:i], '\n') + 1
	line, _, _ := strings.Cut(s[from:], "\n")
	return Line{s, from, from + len(line)}
}

// Beside reports whether an entry of a recorded view was sent beside the
// history: the system prompt, or the step's own input.
func Beside(reason string) bool {
	return strings.HasPrefix(reason, "agent.system") || strings.HasPrefix(reason, "agent.input")
}
