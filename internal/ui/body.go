package ui

import (
	"errors"
	"io/fs"

	"agentlens/internal/export"
	"agentlens/internal/model"
	"agentlens/internal/ui/highlight"
)

// previewLen is how many characters of a text a folded row may show.
const previewLen = 400

// A bodyKey names what the screen shows of one message: as recorded, or as it
// is in a view.
type bodyKey struct {
	index   int32  // message of the thread; -1 an added one, -2 the prompt of a call
	variant uint64 // 0: as recorded
}

// A summary is what a folded row shows of a message.
type summary struct {
	text  export.Safe
	calls []callSummary
	tool  export.Safe // the tool a result comes from
	extra words       // what the message holds beside text: "2 images"
}

type callSummary struct {
	name, args export.Safe
	pending    bool
	failed     bool
}

// unreadable stands for a text that could not be read.
func unreadable(err error) string { return "[unreadable: " + whyUnread(err) + "]" }

// whyUnread says why something cannot be read, that its file is gone in plain words.
func whyUnread(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "its file is gone"
	}
	return err.Error()
}

// blocks reads all of a message.
func (r *reader) blocks(w want) []block {
	if w.message == nil {
		text := r.whole(insertedText(w, r.run))
		return []block{{kind: textBlock, text: text, doc: r.document(nil, text), sections: sections(text.String())}}
	}
	m := w.message
	var list []block
	if w.entry != nil && w.entry.Text != nil {
		text, err := r.run.Text(m)
		if err != nil {
			return []block{r.unreadable(err)}
		}
		b := block{kind: textBlock, text: r.pieces(text, w.entry.Text)}
		b.doc = r.document(m, b.text)
		list = append(list, b)
	}
	for i := range m.Parts {
		p := &m.Parts[i]
		if w.entry != nil && (p.Kind == model.Text && w.entry.Text != nil || p.Kind == model.Thinking && w.entry.NoThinking) {
			continue
		}
		list = append(list, r.part(m, p))
	}
	for _, c := range callsOf(m, w.entry) {
		list = append(list, r.call(c, w.entry))
	}
	return list
}

func (r *reader) part(m *model.Message, p *model.Part) block {
	switch {
	case p.Kind == model.Thinking && p.Sealed:
		return block{kind: sealedBlock, note: "the record holds this thinking only encrypted"}
	case p.Kind == model.Image, p.Kind == model.File, p.Kind == model.Opaque:
		if where := export.Elsewhere(r.run, p); where != "" {
			return block{kind: attachmentBlock, name: r.line(p.Kind.String() + " " + p.Media + " " + where)}
		}
		return block{kind: attachmentBlock, name: r.line(p.Kind.String() + " " + p.Media), note: bytesOf(int64(p.Body.Len))}
	}
	text, err := r.run.Body(p.Body)
	if err != nil {
		return r.unreadable(err)
	}
	laid, rest := pretty(text)
	b := block{kind: textBlock, text: r.whole(laid), note: rest}
	if p.Kind == model.Thinking {
		b.kind = thinkingBlock
	} else {
		b.doc = r.document(m, b.text)
	}
	if m.Role == model.System {
		b.sections = sections(b.text.String())
	}
	return b
}

func (r *reader) call(c model.ToolCall, e *model.Entry) block {
	b := block{kind: callBlock, name: r.line(c.Name), failed: c.Failed}
	if c.Pending() {
		b.note = "pending"
	}
	if e != nil && e.EmptyArgs {
		b.note = "arguments left out"
		return b
	}
	args, err := r.run.Body(c.Args)
	if err != nil {
		return r.unreadable(err)
	}
	laid, rest := pretty(args)
	switch {
	case b.note == "":
		b.note = rest
	case rest != "":
		b.note += " · " + rest
	}
	b.text = r.whole(laid)
	b.doc = r.coloured(b.text, highlight.ByShape(b.text.String()))
	return b
}

// document is the colouring of a text of message m, nil where there is none.
func (r *reader) document(m *model.Message, text export.Safe) *highlight.Document {
	if r.hl == nil {
		return nil
	}
	return r.coloured(text, r.language(m, text.String()))
}

func (r *reader) coloured(text export.Safe, lang highlight.Language) *highlight.Document {
	if r.hl == nil {
		return nil
	}
	return r.hl.Document(text.String(), lang)
}

func (r *reader) unreadable(err error) block {
	return block{kind: failedBlock, text: r.whole(whyUnread(err))}
}

// callsOf lists the calls of m that are left in a view.
func callsOf(m *model.Message, e *model.Entry) []model.ToolCall {
	if e == nil || e.Calls == nil {
		return m.Calls
	}
	var left []model.ToolCall
	for _, j := range e.Calls {
		if j >= 0 && j < len(m.Calls) {
			left = append(left, m.Calls[j])
		}
	}
	return left
}

func attachments(m *model.Message) words {
	var n [model.Opaque + 1]int
	for i := range m.Parts {
		if int(m.Parts[i].Kind) < len(n) {
			n[m.Parts[i].Kind]++
		}
	}
	var w words
	for _, k := range [...]model.PartKind{model.Image, model.File, model.Opaque} {
		if n[k] == 0 {
			continue
		}
		if w != "" {
			w += ", "
		}
		if k == model.Opaque {
			w += plural(n[k], "opaque part")
		} else {
			w += plural(n[k], words(k.String()))
		}
	}
	return w
}
