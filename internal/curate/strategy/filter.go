package strategy

import (
	"slices"

	"agentlens/internal/curate/chain"
	"agentlens/internal/curate/engine"
	"agentlens/internal/model"
)

func filterRow() Row {
	return Row{
		Spec: chain.Spec{
			Name:    "filter",
			Summary: "Keeps the messages of the listed roles, tools and ids; a call and its result stay or go together.",
			Whose:   "LangChain filter_messages",
			Params: []chain.Param{
				{Name: "roles", Kind: chain.KindList, Help: "roles kept; the leading system message stays anyway"},
				{Name: "names", Kind: chain.KindList, Help: "tools whose calls and results are kept"},
				{Name: "ids", Kind: chain.KindList, Help: "messages kept, by id; a call stays with its result"},
			},
		},
		build: func(a *args) (engine.Stage, error) {
			c := new(filter)
			c.names, c.byName = a.given("names")
			c.ids, c.byID = a.given("ids")
			var names []string
			names, c.byRole = a.given("roles")
			for _, name := range names {
				role, ok := model.ParseRole(name)
				if !ok {
					return nil, a.fail("there is no role " + name + "; roles are system, user, assistant and tool")
				}
				c.roles = append(c.roles, role)
			}
			c.sieve = sieve{rule: c, callsDropped: "they are filtered out", dropped: a.because("filtered out")}
			return c, nil
		},
	}
}

// filter keeps messages by role, name and id. An empty criterion matches all.
type filter struct {
	sieve
	byRole, byName, byID bool
	roles                []model.Role
	names, ids           []string
	head                 engine.Key
}

func (c *filter) Step(f *engine.Facts, in, out *engine.Layer) {
	c.start(in)
	was := c.head
	c.head = in.Head()
	for _, k := range in.Changed() {
		c.decide(f, in, out, k)
	}
	for k := range in.Between(was, c.head) {
		c.decide(f, in, out, k)
	}
}

func (c *filter) role(r model.Role) bool { return !c.byRole || slices.Contains(c.roles, r) }
func (c *filter) name(name string) bool  { return !c.byName || slices.Contains(c.names, name) }
func (c *filter) id(id string) bool      { return !c.byID || slices.Contains(c.ids, id) }

func (c *filter) call(in *engine.Layer, m *model.Message, j int, _ engine.Key) bool {
	call := m.Calls[j]
	if !c.role(model.Assistant) || !call.Server && !c.role(model.Tool) || !c.name(call.Name) {
		return false
	}
	result, answered := call.Result.Get()
	return c.id(m.ID) || answered && c.id(in.Thread.At(result).ID)
}

func (c *filter) message(_ *engine.Facts, in *engine.Layer, k engine.Key) bool {
	role := in.Role(k)
	if k < c.head || !in.IsMessage(k) {
		return k < c.head || c.role(role)
	}
	m := in.Thread.At(in.Place(k))
	return c.role(role) && c.id(m.ID) && (role != model.Tool || c.name(m.ToolName))
}
