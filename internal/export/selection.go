package export

import (
	"strings"

	"agentlens/internal/model"
)

// A Selection chooses messages of a thread. The zero value chooses all.
type Selection struct {
	Roles []model.Role // any of them; nil for every role
	// Tool is the name of a tool whose calls or results a message holds.
	Tool string
	// Step is the id or the title of the step of the messages, ignoring case.
	Step   string
	Badges []model.Badge // all of them
}

// None reports whether the selection chooses every message.
func (s *Selection) None() bool {
	return s == nil || s.Roles == nil && s.Tool == "" && s.Step == "" && s.Badges == nil
}

// Has reports whether the selection chooses message i of t.
func (s *Selection) Has(t *model.Thread, i int) bool {
	m := t.At(i)
	if s.None() {
		return true
	}
	for _, b := range s.Badges {
		if !m.Badges.Has(b) {
			return false
		}
	}
	return (s.Roles == nil || s.role(m)) && (s.Tool == "" || s.tool(m)) && (s.Step == "" || s.step(t, i))
}

// step reports whether message i is in the step. A title can belong to several steps, an id to one.
func (s *Selection) step(t *model.Thread, i int) bool {
	if strings.EqualFold(t.At(i).Step, s.Step) {
		return true
	}
	step := t.StepOf(i)
	return step != nil && (step.ID == s.Step || strings.EqualFold(step.Title, s.Step))
}

func (s *Selection) role(m *model.Message) bool {
	for _, r := range s.Roles {
		if m.Role == r {
			return true
		}
	}
	return false
}

func (s *Selection) tool(m *model.Message) bool {
	for i := range m.Calls {
		if m.Calls[i].Name == s.Tool {
			return true
		}
	}
	return m.Role == model.Tool && m.ToolName == s.Tool
}
