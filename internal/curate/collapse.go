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
	build: func(a args) (builtStage, error) {
		keep := int(a.number("keep"))
		return builtStage{stage: &collapse{keep: keep}, reasons: []string{"", "collapsed into its call's message: not among the newest " + group(keep) + " tool groups"}}, nil
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
	made   map[string]item
}

func (c *collapse) step(f *facts, in, out *layer) {
	if c.groups == nil {
		c.groups, c.units, c.made = newRecent(len(in.items)), make([]int32, in.thread.Len()), map[string]item{}
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
	c.groups.between(before, c.groups.edge, func(head key) { c.decide(f, in, out, head) })
}

// groupOf is the key of the assistant message of the group of k.
func groupOf(in *layer, k key) (key, bool) {
	if !in.isMessage(k) {
		return 0, false
	}
	g := in.thread.At(in.message(k)).Group
	if g < 0 {
		return 0, false
	}
	return in.ofMessage(int(g)), true
}

func (c *collapse) hasResult(f *facts, in *layer, head key) bool {
	if !in.isLive(head) || noCalls(f, in, head) {
		return false
	}
	for _, i := range in.thread.Members(in.message(head)) {
		if k := in.ofMessage(int(i)); k != head && in.isLive(k) {
			return true
		}
	}
	return false
}

// noCalls reports whether the assistant message at k makes no call in the view.
func noCalls(f *facts, in *layer, k key) bool {
	left := f.vars.list[in.items[k].variant].calls
	return left != nil && len(left) == 0 || len(in.thread.At(in.message(k)).Calls) == 0
}

// results lists the live results of the group of head.
func (c *collapse) results(in *layer, head key) []key {
	var keys []key
	for _, i := range in.thread.Members(in.message(head)) {
		if k := in.ofMessage(int(i)); k != head && in.isLive(k) {
			keys = append(keys, k)
		}
	}
	return keys
}

func (c *collapse) decide(f *facts, in, out *layer, head key) {
	if c.units[in.message(head)] == in.stamp {
		return
	}
	c.units[in.message(head)] = in.stamp
	var folded item
	if head < c.groups.edge && c.groups.marked.has(head) {
		folded = c.fold(f, in, head)
	}
	for _, i := range in.thread.Members(in.message(head)) {
		k := in.ofMessage(int(i))
		switch {
		case !folded.live || !in.isLive(k):
			pass(in, out, k)
		case k == head:
			out.put(k, folded, 0)
		default:
			out.drop(k, 1)
		}
	}
}

// fold makes the message that stands for a group, or none when it is not smaller.
func (c *collapse) fold(f *facts, in *layer, head key) item {
	results := c.results(in, head)
	id := strconv.AppendInt(nil, int64(in.items[head].variant), 10)
	e := foldResults{vars: f.vars, space: in.keyspace, left: []int{}}
	size := in.items[head].tokens
	for _, k := range append([]key{head}, results...) {
		id = strconv.AppendInt(append(id, ' '), int64(k), 10)
		id = strconv.AppendInt(append(id, '/'), int64(in.items[k].variant), 10)
	}
	for _, k := range results {
		size += in.items[k].tokens
		e.results = append(e.results, folded{k, in.items[k], answeredTool(in.thread, in.message(k))})
	}
	m := in.thread.At(in.message(head))
	for _, j := range callsOf(f, in, head) {
		if m.Calls[j].Server {
			e.left = append(e.left, j)
		}
	}
	it, ok := c.made[string(id)]
	if !ok {
		it = f.vars.add(in.keyspace, head, in.items[head], f.stage, e)
		c.made[string(id)] = it
	}
	it.live = it.tokens < size
	return it
}

type folded struct {
	k    key
	it   item
	tool string
}

// foldResults puts a line per result after the text of an assistant message and
// takes its calls away, but those the provider ran itself.
type foldResults struct {
	vars    *variants
	space   *keyspace
	left    []int
	results []folded
}

func (e foldResults) apply(c *content) {
	c.calls = e.left
	var b strings.Builder
	if len(c.text) > 0 {
		b.WriteByte('\n')
	}
	b.WriteString("[Tool results:")
	room := collapsedText
	for n, r := range e.results {
		line := strings.Join(strings.Fields(e.vars.masked(e.vars.resolve(e.space, r.k, e.vars.list[r.it.variant]))), " ")
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
	c.text = append(c.text, model.Piece{Insert: b.String()})
}

func (e foldResults) guess(base variant) (tokens, runes int32) {
	tokens, runes = base.tokens, base.runes
	for n, r := range e.results {
		if n < collapsedText/collapsedLine {
			tokens += min(r.it.tokens, collapsedLine/4)
			runes += min(4*r.it.tokens, collapsedLine)
		}
	}
	return tokens + 4, runes + 16
}

func (e foldResults) reason() string {
	return group(len(e.results)) + " tool results collapsed into this message"
}
