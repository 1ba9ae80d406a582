package curate

import (
	"slices"

	"agentlens/internal/model"
)

var filterSpec = Spec{
	Name:    "filter",
	Summary: "Keeps the messages of the listed roles, tools and ids; a call and its result stay or go together.",
	Whose:   "LangChain filter_messages",
	Params: []Param{
		{Name: "roles", Kind: KindList, Help: "roles kept; the leading system message stays anyway"},
		{Name: "names", Kind: KindList, Help: "tools whose calls and results are kept"},
		{Name: "ids", Kind: KindList, Help: "messages kept, by id; a call stays with its result"},
	},
	build: func(a args) (Built, error) {
		c := &filter{names: a.choice("names"), ids: a.choice("ids")}
		if roles := a.choice("roles"); roles != nil {
			c.roles = []model.Role{}
			for _, name := range roles {
				role, ok := model.ParseRole(name)
				if !ok {
					return Built{}, &BuildError{a.call, "there is no role " + name + "; roles are system, user, assistant and tool"}
				}
				c.roles = append(c.roles, role)
			}
		}
		c.sieve = sieve{rule: c, why: "they are filtered out"}
		return Built{Stage: c, reasons: []string{"", "filtered out"}}, nil
	},
}

// choice is a list that was given, nil when it was not.
func (a args) choice(name string) []string {
	if v, ok := a.call.Args[name]; ok {
		return append([]string{}, v.List...)
	}
	return nil
}

// filter keeps messages by what they are; a nil list keeps all.
type filter struct {
	sieve
	roles []model.Role
	names []string
	ids   []string
	head  Key
}

func (c *filter) Step(f *Facts, in, out *Layer) {
	c.start(in)
	was := c.head
	c.head = in.Head()
	for _, k := range in.delta {
		c.decide(f, in, out, k)
	}
	for k := in.live.Next(min(was, c.head)); k >= 0 && k < max(was, c.head); k = in.Next(k) {
		c.decide(f, in, out, k)
	}
}

func (c *filter) role(r model.Role) bool { return c.roles == nil || slices.Contains(c.roles, r) }
func (c *filter) id(id string) bool      { return c.ids == nil || slices.Contains(c.ids, id) }

func (c *filter) call(in *Layer, m *model.Message, j int, _ Key) bool {
	call := m.Calls[j]
	if !c.role(model.Assistant) || !call.Server && !c.role(model.Tool) || c.names != nil && !slices.Contains(c.names, call.Name) {
		return false
	}
	return c.id(m.ID) || call.Result >= 0 && c.id(in.Thread.At(int(call.Result)).ID)
}

func (c *filter) message(_ *Facts, in *Layer, k Key) bool {
	role := in.Role(k)
	if k < c.head || !in.IsMessage(k) {
		return k < c.head || c.role(role)
	}
	m := in.Thread.At(in.Place(k))
	return c.role(role) && c.id(m.ID) && (role != model.Tool || c.names == nil || slices.Contains(c.names, m.ToolName))
}
