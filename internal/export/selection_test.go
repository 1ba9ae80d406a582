package export

import (
	"testing"

	"agentlens/internal/model"
)

func TestSelection(t *testing.T) {
	call := &model.Message{Role: model.Assistant, Calls: []model.ToolCall{{Name: "grep"}}, Step: "Read"}
	result := &model.Message{Role: model.Tool, ToolName: "grep", Badges: model.Badges(0).With(model.ErrorBadge)}
	user := &model.Message{Role: model.User}
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
		{"a step", &Selection{Step: "read"}, [3]bool{true, false, false}},
		{"a badge", &Selection{Badges: []model.Badge{model.ErrorBadge}}, [3]bool{false, true, false}},
		{"a tool and a role", &Selection{Tool: "grep", Roles: []model.Role{model.Assistant}}, [3]bool{true, false, false}},
	} {
		if got := [3]bool{tt.s.Has(call), tt.s.Has(result), tt.s.Has(user)}; got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
