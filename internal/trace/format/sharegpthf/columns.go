package sharegpthf

import (
	"encoding/json"
	"fmt"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/chat/loose"
)

// columns are the members of a row that hold what was asked and the answer.
type columns struct {
	asked  []string // the first is always there
	answer string
}

// columnsOf tells the columns of a row that has no list of messages.
func columnsOf(o loose.Object) (columns, bool) {
	if o.HasAny("conversations", "messages", "chosen", "request", "response", "choices", "usage", "custom_id", "uuid", "sessionId", "trajectory", "type", "role") {
		return columns{}, false
	}
	for _, c := range []columns{{[]string{"instruction", "input"}, "output"}, {[]string{"prompt"}, "completion"}} {
		_, asked := loose.Text(o.Raw(c.asked[0]))
		_, answered := loose.Text(o.Raw(c.answer))
		if asked && answered {
			return c, true
		}
	}
	return columns{}, false
}

// columns takes a row of columns: pairs of the history first, then what was asked
// as one message, and the answer.
func (l *loader) columns(o loose.Object, c columns) {
	for i, raw := range o.Array("history") {
		for j, said := range loose.List(raw) {
			role := []model.Role{model.User, model.Assistant}[j%2]
			l.said(role, []json.RawMessage{said}, fmt.Sprintf("history[%d][%d]", i, j))
		}
	}
	var asked []json.RawMessage
	for _, key := range c.asked {
		asked = append(asked, o.Raw(key))
	}
	l.said(model.User, asked, c.asked[0])
	l.said(model.Assistant, []json.RawMessage{o.Raw(c.answer)}, c.answer)
}

// said adds a message of texts; those that are empty are left out.
func (l *loader) said(role model.Role, texts []json.RawMessage, what string) {
	m := model.Message{Role: role}
	for _, raw := range texts {
		if said := text(raw); said != "" {
			m.Parts = append(m.Parts, l.text(said, what))
			m.Origin = append(m.Origin, l.Chat.JSON(raw, l.place(what)))
		}
	}
	if len(m.Parts) > 0 {
		l.Add(l.main, m)
	}
}
