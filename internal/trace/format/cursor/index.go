package cursor

import (
	"strings"

	"agentlens/internal/jsontext"
	"agentlens/internal/model"
	"agentlens/internal/trace/ground/chat"
	"agentlens/internal/trace/ground/lines"
)

// An index collects the contents of a transcript in one pass.
type index struct {
	lines  *lines.Builder
	thread *model.ThreadBuilder
	scan   jsontext.Scanner
	r      record
	row    lines.Row
}

// Take adds one line as a message, with a separate message for each result in the line.
func (x *index) Take(row lines.Row) {
	x.row = row
	r := &x.r
	if !r.parse(&x.scan, row.Data) {
		x.lines.Broken(row)
		return
	}
	if typ := x.lines.Name(row, r.typ); typ == ended {
		x.turnEnded()
		return
	} else if typ != "" || !r.hasRole {
		x.lines.Opaque(typ, row.Whole())
		return
	}
	x.lines.Message()
	role, _ := model.ParseRole(row.String(r.role))
	m := model.Message{Role: role}
	if !r.text.Absent() {
		m.Parts = []model.Part{{Kind: model.Text, Body: row.Text(r.text)}}
	}
	results := 0
	for i := range r.blocks {
		results += x.block(&m, &r.blocks[i])
	}
	if results > 0 && len(m.Parts)+len(m.Calls) == 0 {
		return
	}
	if role == model.User && x.injected(&m) {
		m.Badges = m.Badges.With(model.Injected)
	}
	i := x.add(m)
	if role == model.Assistant {
		x.thread.Reply(i, model.Call{})
	}
}

// block adds b to the message m, or adds a separate message if b is a result. It
// returns the number of separate messages added: 1 for a result and 0 for other
// content.
func (x *index) block(m *model.Message, b *block) int {
	row := x.row
	switch typ := x.lines.Name(row, b.typ); typ {
	case "text", "":
		m.Parts = append(m.Parts, model.Part{Kind: model.Text, Body: row.Value(b.text)})
	case "thinking":
		m.Parts = append(m.Parts, model.Part{Kind: model.Thinking, Body: row.Value(b.text)})
	case "image":
		m.Parts = append(m.Parts, model.Part{Kind: model.Image, Media: x.lines.Name(row, b.media), Body: row.Value(b.text)})
	case "tool_use":
		m.Calls = append(m.Calls, model.ToolCall{
			ID: row.String(b.id), Name: x.lines.Name(row, b.name), Args: row.Value(b.args), Ended: true,
		})
	case "tool_result":
		result := model.Message{Role: model.Tool, CallID: row.String(b.of), IsError: b.failed}
		if b.texts == nil {
			b.texts = []span{b.text}
		}
		for _, text := range b.texts {
			if body := row.Value(text); !body.None() {
				result.Parts = append(result.Parts, model.Part{Kind: model.Text, Body: body})
			}
		}
		x.add(result)
		return 1
	default:
		m.Parts = append(m.Parts, model.Part{Kind: model.Opaque, Media: typ, Body: row.Ref(b.whole, model.JSONValue)})
	}
	return 0
}

func (x *index) add(m model.Message) int {
	m.Origin = []model.Ref{x.row.Whole()}
	return x.thread.Add(m)
}

// turnEnded adds a marker for a failed turn.
func (x *index) turnEnded() {
	x.lines.Document(ended+" records", "records", x.row.Whole())
	if x.row.String(x.r.status) != "error" {
		return
	}
	t := x.thread.Thread()
	t.Markers = append(t.Markers, model.Marker{
		Kind: model.ErrorMarker, After: x.thread.Len() - 1, Origin: x.row.Whole(),
		Detail: []model.Detail{{Key: "message", Value: chat.Cut(x.row.String(x.r.failure), 500)}},
	})
}

// queryTag precedes the text that the user typed.
const queryTag = "<user_query>"

// injected reports whether the editor wrote all texts of m. Such texts begin with a
// tag of the editor and do not contain queryTag.
func (x *index) injected(m *model.Message) bool {
	found := false
	for _, p := range m.Parts {
		at := p.Body.Off - x.row.Off
		if p.Kind != model.Text || p.Body.Form != model.JSONString {
			continue
		}
		text := string(x.row.Data[at+1 : at+int64(p.Body.Len)-1])
		if !strings.HasPrefix(text, "<system_") || strings.Contains(text, queryTag) {
			return false
		}
		found = true
	}
	return found
}

// title sets the title of the thread to the first line that the user typed.
func title(run *model.Run) {
	t := run.Threads[0]
	for i := range t.Len() {
		m := t.At(i)
		if m.Role != model.User || m.Badges.Has(model.Injected) {
			continue
		}
		text, err := run.Text(m)
		if err != nil {
			return
		}
		if _, query, ok := strings.Cut(text, queryTag); ok {
			text, _, _ = strings.Cut(query, "</user_query>")
		}
		if t.Title = chat.Title(strings.TrimSpace(text)); t.Title != "" {
			return
		}
	}
}
