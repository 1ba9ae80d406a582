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
	build: func(a args) (builtStage, error) {
		c := &filter{names: a.choice("names"), ids: a.choice("ids")}
		if roles := a.choice("roles"); roles != nil {
			c.roles = []model.Role{}
			for _, name := range roles {
				role, ok := model.ParseRole(name)
				if !ok {
					return builtStage{}, &BuildError{a.call, "there is no role " + name + "; roles are system, user, assistant and tool"}
				}
				c.roles = append(c.roles, role)
			}
		}
		c.sieve = sieve{rule: c, why: "they are filtered out"}
		return builtStage{stage: c, reasons: []string{"", "filtered out"}}, nil
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
	head  key
}

func (c *filter) step(f *facts, in, out *layer) {
	c.start(in)
	was := c.head
	c.head = in.head()
	for _, k := range in.delta {
		c.decide(f, in, out, k)
	}
	for k := in.live.next(min(was, c.head)); k >= 0 && k < max(was, c.head); k = in.next(k) {
		c.decide(f, in, out, k)
	}
}

func (c *filter) role(r model.Role) bool { return c.roles == nil || slices.Contains(c.roles, r) }
func (c *filter) id(id string) bool      { return c.ids == nil || slices.Contains(c.ids, id) }

func (c *filter) call(in *layer, m *model.Message, j int, _ key) bool {
	call := m.Calls[j]
	if !c.role(model.Assistant) || !call.Server && !c.role(model.Tool) || c.names != nil && !slices.Contains(c.names, call.Name) {
		return false
	}
	result, answered := call.Result.Get()
	return c.id(m.ID) || answered && c.id(in.thread.At(result).ID)
}

func (c *filter) message(_ *facts, in *layer, k key) bool {
	role := in.role(k)
	if k < c.head || !in.isMessage(k) {
		return k < c.head || c.role(role)
	}
	m := in.thread.At(in.message(k))
	return c.role(role) && c.id(m.ID) && (role != model.Tool || c.names == nil || slices.Contains(c.names, m.ToolName))
}
