package ui

import (
	"bytes"
	"encoding/json"
	"strings"

	"agentlens/internal/export"
	"agentlens/internal/model"
	"agentlens/internal/ui/highlight"
)

// previewLen is how many characters of a text a folded row may show.
const previewLen = 400

// maxPretty is the size in bytes of the largest JSON text that is laid out anew.
const maxPretty = 1 << 20

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

// A block is one part of an unfolded message.
type block struct {
	kind     blockKind
	name     export.Safe
	text     export.Safe
	doc      *highlight.Document // of text, or nil: plain
	note     words
	failed   bool
	sections []section // of a rendered prompt
}

type blockKind uint8

const (
	textBlock blockKind = iota
	thinkingBlock
	sealedBlock
	factsBlock // keys with what they stand for, a line each
	callBlock
	attachmentBlock
	headBlock   // a heading of ours
	failedBlock // could not be read; text says why
)

// A section begins at a heading of a rendered prompt, at byte at of its text.
type section struct {
	at, level int
}

// A reader reads bodies and brings them through the gate. It does I/O and slow
// work: never on the way of a frame.
type reader struct {
	run    *model.Run
	thread *model.Thread // that is shown, or nil
	gate   *export.Gate
	reveal bool
	hl     *highlight.Highlighter // nil: no colours
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

// head cuts s to n bytes, at a character.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
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

// unreadable stands for a text that could not be read.
func unreadable(err error) string { return "[unreadable: " + err.Error() + "]" }

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
		return block{kind: attachmentBlock, name: r.line(p.Kind.String() + " " + p.Media), note: bytesOf(int64(p.Body.Len))}
	}
	text, err := r.run.Body(p.Body)
	if err != nil {
		return r.unreadable(err)
	}
	b := block{kind: textBlock, text: r.whole(pretty(text))}
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
	b.text = r.whole(pretty(args))
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
	return block{kind: failedBlock, text: r.whole(err.Error())}
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

// bytesOf writes a size in bytes.
func bytesOf(n int64) words {
	if n < 1000 {
		return words(figure(n)) + " B"
	}
	return figure(n) + "B"
}

// pretty lays JSON out in lines; other text stays as it is.
func pretty(s string) string {
	t := strings.TrimSpace(s)
	if len(t) < 2 || len(t) > maxPretty || t[0] != '{' && t[0] != '[' || t == "{}" || t == "[]" {
		return s
	}
	var b bytes.Buffer
	if json.Indent(&b, []byte(t), "", "  ") != nil {
		return s
	}
	return b.String()
}

// compactArgs writes the arguments of a call on one line, q="x", n=3, where
// they are a small JSON object; else as they are.
func compactArgs(args string) string {
	if len(args) > 4096 || !strings.HasPrefix(strings.TrimSpace(args), "{") {
		return args
	}
	d := json.NewDecoder(strings.NewReader(args))
	if _, err := d.Token(); err != nil {
		return args
	}
	var parts []string
	for d.More() {
		key, err := d.Token()
		name, ok := key.(string)
		var value json.RawMessage
		if err != nil || !ok || d.Decode(&value) != nil {
			return args
		}
		parts = append(parts, name+"="+string(value))
	}
	return strings.Join(parts, ", ")
}

// sections finds the Markdown headings of a rendered prompt, outside of code
// fences. A text with fewer than two has none.
func sections(text string) []section {
	var list []section
	fence := false
	for at := 0; at < len(text); {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			end = len(text) - at
		}
		line := text[at : at+end]
		if strings.HasPrefix(strings.TrimLeft(line, " "), "```") {
			fence = !fence
		}
		level := 0
		for level < len(line) && line[level] == '#' {
			level++
		}
		if !fence && level > 0 && level <= 6 && level < len(line) && line[level] == ' ' {
			list = append(list, section{at, level})
		}
		at += end + 1
	}
	if len(list) < 2 {
		return nil
	}
	return list
}
