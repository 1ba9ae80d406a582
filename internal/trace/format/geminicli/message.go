package geminicli

import (
	"strings"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/chat"
	"agentlens/internal/trace/ground/lines"
)

// A recordKind is the form in which a message record is stored.
type recordKind uint8

const (
	appended recordKind = iota // a line, which replaces an earlier line with the same id
	listed                     // an element of a document's list
	patched                    // part of a replaced history
)

// put adds a message record. It replaces the record with the same id, if any;
// otherwise it appends.
func (x *index) put(row lines.Row, how recordKind) {
	r, whole := x.parse(row)
	if !row.Sound() || !whole {
		x.lines.Opaque("message", row.Whole())
		return
	}
	e := &entry{id: row.String(r.id), origin: row.Whole()}
	switch kind := x.lines.Name(row, r.typ); kind {
	case "user":
		x.user(e, row, &r)
	case "gemini":
		x.reply(e, row, &r)
	case "info", "warning", "error":
		x.lines.Document(kind+" records", "records", row.Whole())
		if kind == "error" {
			text := ""
			if len(r.parts) > 0 {
				text = chat.Cut(row.String(r.parts[0].text), 500)
			}
			e.marker = &model.Marker{Kind: model.ErrorMarker, At: row.Time(r.time), Origin: row.Whole(), Detail: []model.Detail{{Key: "message", Value: text}}}
		}
	default:
		x.lines.Opaque("message of type "+kind, row.Whole())
	}
	if len(e.msgs) > 0 {
		x.lines.Message()
		if how == patched && r.model.Absent() && !r.tokens.has { // written by the program
			e.reply = false
			for _, m := range e.msgs {
				m.Badges = m.Badges.With(model.Injected)
			}
		}
	}
	x.place(e, how)
}

// place adds e to the chat. If the chat still contains an entry with the same id, e
// replaces that entry; otherwise place appends e.
func (x *index) place(e *entry, how recordKind) {
	old := x.byID[e.id]
	if e.id == "" {
		old = nil
	}
	if old != nil && len(old.msgs) > 0 {
		x.lines.Retract()
		x.lines.Document("replaced records", "replaced", old.origin)
	}
	switch {
	case old == nil:
		x.entries = append(x.entries, e)
	case old.gone || old.compressed || how != appended:
		old.replaced = true
		x.entries = append(x.entries, e)
	default:
		*old = *e
		e = old
	}
	if e.id != "" {
		x.byID[e.id] = e
	}
	for _, m := range e.msgs {
		if m.Role == model.Tool {
			x.answers[m.CallID] = e
		}
	}
}

// injected lists the beginnings of user texts that the program writes. summary is
// set if the text summarises compressed messages.
var injected = []struct {
	head    string
	summary bool
}{
	{"<state_snapshot>", true},
	{"<session_context>", false},
	{"<system-reminder>", false},
	{"<hook_context>", false},
	{"This is the Gemini CLI.", false},
}

func (x *index) user(e *entry, row lines.Row, r *record) {
	if x.results(e, row, r); len(e.msgs) > 0 {
		return
	}
	m := x.message(model.User, row, r)
	m.Parts = x.parts(row, r.parts)
	if len(r.parts) > 0 && r.parts[0].text.Len() > 2 {
		at := r.parts[0].text
		head := strings.TrimLeft(row.String(span{Start: at.Start, End: at.End}), " \n")
		for _, in := range injected {
			if strings.HasPrefix(head, in.head) {
				m.Badges = m.Badges.With(model.Injected)
				if in.summary {
					m.Badges = m.Badges.With(model.Summary)
				}
			}
		}
	}
	e.msgs = []*model.Message{m}
}

// results adds one message per result if the user record holds only results.
// Replaced histories contain such records.
func (x *index) results(e *entry, row lines.Row, r *record) {
	for i := range r.parts {
		if !r.parts[i].result {
			return
		}
	}
	for i := range r.parts {
		p := &r.parts[i]
		m := x.message(model.Tool, row, r)
		m.CallID, m.ToolName, m.Parts = row.String(p.of), x.lines.Name(row, p.tool), x.parts(row, r.parts[i:i+1])
		e.msgs = append(e.msgs, m)
	}
}

func (x *index) message(role model.Role, row lines.Row, r *record) *model.Message {
	return &model.Message{
		Role: role, ID: row.String(r.id), At: row.Time(r.time), Origin: []model.Ref{row.Whole()},
	}
}

// reply adds a model record: the reply, then one message per result.
func (x *index) reply(e *entry, row lines.Row, r *record) {
	m := x.message(model.Assistant, row, r)
	for _, thought := range r.thoughts {
		if thought.Len() > 2 {
			m.Parts = append(m.Parts, model.Part{Kind: model.Thinking, Body: row.Text(thought)})
		}
	}
	m.Parts = append(m.Parts, x.parts(row, r.parts)...)
	e.msgs = []*model.Message{m}
	e.reply = !r.tokens.has || !r.tokens.none()
	e.model, e.usage = x.lines.Name(row, r.model), r.tokens.usage()
	calls := r.calls
	for i := range r.parts { // calls recorded as content repeat the listed calls
		if c := r.parts[i].call; c != nil && len(r.calls) == 0 {
			calls = append(calls, *c)
		}
	}
	for i := range calls {
		c := &calls[i]
		status := x.lines.Name(row, c.status)
		m.Calls = append(m.Calls, model.ToolCall{
			ID: row.String(c.id), Name: x.lines.Name(row, c.name), Args: row.Value(c.args), Failed: status == "error",
		})
		if !c.answered {
			continue
		}
		result := x.message(model.Tool, row, r)
		result.ID, result.CallID, result.ToolName = "", row.String(c.id), x.lines.Name(row, c.name)
		result.IsError = status == "error" || status == "cancelled"
		result.Parts = x.parts(row, c.result)
		if at := row.Time(c.time); at != 0 {
			result.At = at
		}
		e.msgs = append(e.msgs, result)
	}
}

func (x *index) parts(row lines.Row, list []part) []model.Part {
	var parts []model.Part
	for i := range list {
		p := &list[i]
		switch {
		case p.call != nil:
		case p.file:
			media, kind := x.lines.Name(row, p.media), model.File
			if strings.HasPrefix(media, "image/") {
				kind = model.Image
			}
			parts = append(parts, model.Part{Kind: kind, Media: media, Body: row.Text(p.text)})
		case !p.text.Absent():
			if body := row.Value(p.text); !body.None() {
				parts = append(parts, model.Part{Kind: model.Text, Body: body})
			}
		case p.whole.Len() > 2:
			parts = append(parts, model.Part{Kind: model.Opaque, Media: "part", Body: row.Ref(p.whole, model.JSONValue)})
		}
	}
	return parts
}
