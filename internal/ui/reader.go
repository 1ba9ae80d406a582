package ui

import (
	"encoding/json"
	"strings"

	"agentlens/internal/export"
	"agentlens/internal/model"
	"agentlens/internal/ui/highlight"
)

// A reader reads bodies and brings them through the gate. It does I/O and slow
// work: never on the way of a frame.
type reader struct {
	run    *model.Run
	thread *model.Thread // that is shown, or nil
	gate   *export.Gate
	reveal bool
	hl     *highlight.Highlighter // nil: no colours
	sheet  sheet                  // what is opened is laid out for it
}

func (r *reader) line(s string) export.Safe {
	if r.reveal {
		return r.gate.Revealed(s)
	}
	return r.gate.Line(s)
}

func (r *reader) whole(s string) export.Safe {
	if r.reveal {
		return r.gate.Revealed(s)
	}
	return r.gate.Text(s)
}

// json brings a JSON document through the gate: it stays one, its strings are judged
// by their keys too.
func (r *reader) json(doc string) export.Safe {
	if r.reveal {
		return r.gate.Revealed(doc)
	}
	if !json.Valid([]byte(doc)) { // one value a line, or none at all
		lines := strings.Split(doc, "\n")
		for i, l := range lines {
			if strings.TrimSpace(l) != "" && json.Valid([]byte(l)) {
				lines[i] = r.gate.RawJSON([]byte(l)).String()
			}
		}
		return r.gate.Text(strings.Join(lines, "\n"))
	}
	return r.gate.Text(r.gate.RawJSON([]byte(doc)).String())
}

func (r *reader) preview(s string) export.Safe {
	if r.reveal {
		return r.gate.Revealed(head(s, 4*previewLen))
	}
	return r.gate.Preview(s, previewLen)
}

func (r *reader) pieces(original string, pieces []model.Piece) export.Safe {
	if !r.reveal {
		return r.gate.Pieces(original, pieces)
	}
	return r.gate.Revealed(model.Join(original, pieces))
}

// summarise reads what a folded row shows.
func (r *reader) summarise(w want) summary {
	var s summary
	if w.message == nil {
		s.text = r.preview(insertedText(w, r.run))
		return s
	}
	m := w.message
	s.text = r.summaryText(w)
	if m.Role == model.Tool && m.ToolName != "" {
		s.tool = r.line(m.ToolName)
	}
	for _, c := range callsOf(m, w.entry) {
		args := ""
		if w.entry == nil || !w.entry.EmptyArgs {
			var err error
			if args, err = r.run.Body(c.Args); err != nil {
				args = unreadable(err)
			}
		}
		s.calls = append(s.calls, callSummary{name: r.line(c.Name), args: r.preview(compactArgs(args)), pending: c.Pending(), failed: c.Failed})
	}
	s.extra = attachments(m)
	return s
}

func (r *reader) summaryText(w want) export.Safe {
	text, err := r.run.Text(w.message)
	switch {
	case err != nil:
		return r.line(unreadable(err))
	case w.entry != nil && w.entry.Text != nil:
		return r.pieces(text, w.entry.Text)
	case text == "" && len(w.message.Calls) == 0 && w.message.HasThinking():
		thinking, err := r.run.Thinking(w.message)
		if err == nil {
			return r.preview(thinking)
		}
	}
	return r.preview(text)
}

// insertedText is the text of something that is no message of the thread.
func insertedText(w want, run *model.Run) string {
	if !w.ref.None() {
		text, err := run.Body(w.ref)
		if err != nil {
			return unreadable(err)
		}
		return text
	}
	if w.entry == nil {
		return ""
	}
	var b strings.Builder
	for _, p := range w.entry.Text {
		b.WriteString(p.Insert)
	}
	return b.String()
}

// flat is all of a message in a view as one text, as it is recorded: laid out anew,
// a whole text and a cut one would differ in every line.
func (r *reader) flat(e *model.Entry) (export.Safe, error) {
	w := r.wantOf(e)
	if w.message == nil {
		return r.whole(insertedText(w, r.run)), nil
	}
	m := w.message
	text, err := r.run.Text(m)
	if err != nil {
		return export.Safe{}, err
	}
	safe := r.whole(text)
	if w.entry != nil && w.entry.Text != nil {
		safe = r.pieces(text, w.entry.Text)
	}
	calls := callsOf(m, w.entry)
	thinking := ""
	if w.entry == nil || !w.entry.NoThinking {
		if thinking, err = r.run.Thinking(m); err != nil {
			return export.Safe{}, err
		}
	}
	if len(calls) == 0 && thinking == "" {
		return safe, nil
	}
	var b strings.Builder
	if thinking != "" {
		b.WriteString("∴ " + r.whole(thinking).String() + "\n")
	}
	b.WriteString(safe.String())
	for _, c := range calls {
		args := ""
		if w.entry == nil || !w.entry.EmptyArgs {
			if args, err = r.run.Body(c.Args); err != nil {
				return export.Safe{}, err
			}
		}
		b.WriteString("\n→ " + r.line(c.Name).String() + "(" + r.whole(args).String() + ")")
	}
	return r.whole(b.String()), nil
}

// wantOf is what is to be read of an entry.
func (r *reader) wantOf(e *model.Entry) want {
	w := want{key: bodyKey{index: e.Index}}
	if e.Index >= 0 {
		w.message = r.thread.At(int(e.Index))
	}
	if e.Index < 0 || variantOf(e) != 0 {
		w.entry = e
	}
	return w
}

// pieceTexts reads texts, each on lines of its own.
func (r *reader) pieceTexts(refs []model.Ref) (string, error) {
	var b strings.Builder
	for i, ref := range refs {
		text, err := r.run.Body(ref)
		if err != nil {
			return "", err
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(text)
	}
	return b.String(), nil
}
