package curate

import (
	"strconv"
	"strings"

	"agentlens/internal/model"
)

var collapseToolGroupsSpec = Spec{
	Name:    "collapse_tool_groups",
	Summary: "Turns all but the newest groups of calls and results into one line per result in the assistant's text.",
	Whose:   "Microsoft Agent Framework ToolResultCompaction",
	Params:  []Param{{Name: "keep", Unit: CallsU, Default: "4", Help: "newest groups that stay whole"}},
	build: func(a args) (Built, error) {
		keep := int(a.number("keep"))
		return Built{Stage: &collapse{keep: keep}, reasons: []string{"", "collapsed into its call's message: not among the newest " + group(keep) + " tool groups"}}, nil
	},
}

// Bounds of what stands for results, in code points: one result, and a group.
const (
	collapsedLine = 160
	collapsedText = 4096
)

// collapse folds old groups into their assistant message, where that is smaller.
type collapse struct {
	keep   int
	groups *recent // assistant messages with a call that has a result
	units  []int32 // per message, the call at which its group was last decided
	made   map[string]Item
}

func (c *collapse) Step(f *Facts, in, out *Layer) {
	if c.groups == nil {
		c.groups, c.units, c.made = newRecent(len(in.items)), make([]int32, in.Thread.Len()), map[string]Item{}
	}
	for _, k := range in.delta {
		if head, ok := groupOf(in, k); ok {
			c.groups.mark(head, c.hasResult(f, in, head))
		}
	}
	before := c.groups.edge
	c.groups.slide(c.keep)
	for _, k := range in.delta {
		if head, ok := groupOf(in, k); ok {
			c.decide(f, in, out, head)
		} else {
			pass(in, out, k)
		}
	}
	c.groups.between(before, c.groups.edge, func(head Key) { c.decide(f, in, out, head) })
}

// groupOf is the key of the assistant message of the group of k.
func groupOf(in *Layer, k Key) (Key, bool) {
	if !in.IsMessage(k) {
		return 0, false
	}
	g := in.Thread.At(in.Place(k)).Group
	if g < 0 {
		return 0, false
	}
	return in.KeyOf(int(g)), true
}

func (c *collapse) hasResult(f *Facts, in *Layer, head Key) bool {
	if !in.Live(head) || noCalls(f, in, head) {
		return false
	}
	for _, i := range in.Thread.Members(in.Place(head)) {
		if k := in.KeyOf(int(i)); k != head && in.Live(k) {
			return true
		}
	}
	return false
}

// noCalls reports whether the assistant message at k makes no call in the view.
func noCalls(f *Facts, in *Layer, k Key) bool {
	left := f.vars.list[in.items[k].Variant].Calls
	return left != nil && len(left) == 0 || len(in.Thread.At(in.Place(k)).Calls) == 0
}

// results lists the live results of the group of head.
func (c *collapse) results(in *Layer, head Key) []Key {
	var keys []Key
	for _, i := range in.Thread.Members(in.Place(head)) {
		if k := in.KeyOf(int(i)); k != head && in.Live(k) {
			keys = append(keys, k)
		}
	}
	return keys
}

func (c *collapse) decide(f *Facts, in, out *Layer, head Key) {
	if c.units[in.Place(head)] == in.stamp {
		return
	}
	c.units[in.Place(head)] = in.stamp
	var folded Item
	if head < c.groups.edge && c.groups.marked.Has(head) {
		folded = c.fold(f, in, head)
	}
	for _, i := range in.Thread.Members(in.Place(head)) {
		k := in.KeyOf(int(i))
		switch {
		case !folded.Live || !in.Live(k):
			pass(in, out, k)
		case k == head:
			out.Put(k, folded, 0)
		default:
			out.Drop(k, 1)
		}
	}
}

// fold makes the message that stands for a group, or none when it is not smaller.
func (c *collapse) fold(f *Facts, in *Layer, head Key) Item {
	results := c.results(in, head)
	id := strconv.AppendInt(nil, int64(in.items[head].Variant), 10)
	e := foldResults{vars: f.vars, space: in.Keyspace, left: []int{}}
	size := in.items[head].Tokens
	for _, k := range append([]Key{head}, results...) {
		id = strconv.AppendInt(append(id, ' '), int64(k), 10)
		id = strconv.AppendInt(append(id, '/'), int64(in.items[k].Variant), 10)
	}
	for _, k := range results {
		size += in.items[k].Tokens
		e.results = append(e.results, folded{k, in.items[k], answeredTool(in.Thread, in.Place(k))})
	}
	m := in.Thread.At(in.Place(head))
	for _, j := range callsOf(f, in, head) {
		if m.Calls[j].Server {
			e.left = append(e.left, j)
		}
	}
	it, ok := c.made[string(id)]
	if !ok {
		it = f.vars.add(in.Keyspace, head, in.items[head], f.stage, e)
		c.made[string(id)] = it
	}
	it.Live = it.Tokens < size
	return it
}

type folded struct {
	k    Key
	it   Item
	tool string
}

// foldResults puts a line per result after the text of an assistant message and
// takes its calls away, but those the provider ran itself.
type foldResults struct {
	vars    *Contents
	space   *Keyspace
	left    []int
	results []folded
}

func (e foldResults) Apply(c *Content) {
	c.Calls = e.left
	var b strings.Builder
	if len(c.Text) > 0 {
		b.WriteByte('\n')
	}
	b.WriteString("[Tool results:")
	room := collapsedText
	for n, r := range e.results {
		line := strings.Join(strings.Fields(e.vars.masked(e.vars.resolve(e.space, r.k, e.vars.list[r.it.Variant]))), " ")
		if cut := byteOfRune(line, collapsedLine); cut < len(line) {
			line = line[:clusterStart(line, cut)] + " …"
		}
		if room -= collapsedLine; room < 0 {
			b.WriteString("\n… and " + group(len(e.results)-n) + " more")
			break
		}
		b.WriteString("\n" + r.tool + ": " + line)
	}
	b.WriteByte(']')
	c.Text = append(c.Text, model.Piece{Insert: b.String()})
}

func (e foldResults) Guess(base Variant) (tokens, runes int32) {
	tokens, runes = base.Tokens, base.Runes
	for n, r := range e.results {
		if n < collapsedText/collapsedLine {
			tokens += min(r.it.Tokens, collapsedLine/4)
			runes += min(4*r.it.Tokens, collapsedLine)
		}
	}
	return tokens + 4, runes + 16
}

func (e foldResults) Reason() string {
	return group(len(e.results)) + " tool results collapsed into this message"
}
