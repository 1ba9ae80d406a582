package export

import (
	"testing"

	"agentlens/internal/model"
)

func TestSelection(t *testing.T) {
	b := model.NewThread("", "")
	b.Add(model.Message{Role: model.Assistant, Calls: []model.ToolCall{{Name: "grep"}}, Step: "Read"})
	b.Add(model.Message{Role: model.Tool, ToolName: "grep", Badges: model.Badges(0).With(model.ErrorBadge)})
	b.Add(model.Message{Role: model.User})
	b.Thread().Steps = []model.Step{{ID: "1", Title: "Read", To: 1}, {ID: "2", Title: "Read", From: 1, To: 2}}
	th := b.Build()
	for _, tt := range []struct {
		name string
		s    *Selection
		want [3]bool // call, result, user
	}{
		{"no selection", nil, [3]bool{true, true, true}},
		{"all", &Selection{}, [3]bool{true, true, true}},
		{"a role", &Selection{Roles: []model.Role{model.Tool}}, [3]bool{false, true, false}},
		{"two roles", &Selection{Roles: []model.Role{model.Tool, model.User}}, [3]bool{false, true, true}},
		{"a tool", &Selection{Tool: "grep"}, [3]bool{true, true, false}},
		{"another tool", &Selection{Tool: "gre"}, [3]bool{}},
		{"steps of one title", &Selection{Step: "read"}, [3]bool{true, true, false}},
		{"a step by id", &Selection{Step: "2"}, [3]bool{false, true, false}},
		{"a badge", &Selection{Badges: []model.Badge{model.ErrorBadge}}, [3]bool{false, true, false}},
		{"a tool and a role", &Selection{Tool: "grep", Roles: []model.Role{model.Assistant}}, [3]bool{true, false, false}},
	} {
		if got := [3]bool{tt.s.Has(th, 0), tt.s.Has(th, 1), tt.s.Has(th, 2)}; got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
