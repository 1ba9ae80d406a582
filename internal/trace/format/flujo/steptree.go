package flujo

import (
	"fmt"

	"agentlens/internal/model"
)

// conversationID is the id of the thread that holds conversation_history.
const conversationID = "conversation"

// The kinds of threads besides "main", the conversation of a run without loops.
const (
	loopThread = model.ThreadKind("loop")
	stepThread = model.ThreadKind("step")
	runThread  = model.ThreadKind("run") // one of several outermost spans
)

// A step is a node of the tree of what a run did: a span, or a result that holds
// the results of what was done inside it.
type step struct {
	name, note string
	kind       model.ThreadKind
	nested     bool  // it stands inside a result; flujo makes no span for it
	parent     *step // nil for what hangs below the run itself
	input      string
	inputPlace string
	failed     bool
	why        string // what a failed step says of it
	record     model.Ref
	calls      []call
	id         string // of its thread
}

// kindOf maps a span's type to a kind of thread.
func kindOf(stepType string) model.ThreadKind {
	if stepType == "LoopStep" {
		return loopThread
	}
	return stepThread
}

// inside adds the steps that a result holds and that hold results themselves: a
// nested loop, a parallel step. flujo makes no spans for them.
func (b *build) inside(parent *step, list []result, place string) {
	for i := range list {
		r := &list[i]
		if len(r.nested) == 0 {
			continue
		}
		s := &step{name: r.name, kind: stepThread, nested: true, parent: parent, failed: r.failed, why: r.feedback}
		if r.complex {
			s.kind = loopThread
		}
		s.record = b.arena.Add(r.raw, place+", "+r.place)
		r.step = s
		b.steps = append(b.steps, s)
		b.inside(s, r.nested, place)
	}
}

// stepsOf makes the tree of steps of the spans below n. The outermost span is the
// run itself.
func (b *build) stepsOf(n *node, parent *step) {
	if n == nil {
		return
	}
	if n.number == 1 && rootNames[n.name] {
		b.initial = firstText(b.initial, text(first(n.attributes, "flujo.input", "initial_input")))
	} else {
		n.step = &step{
			name: n.name, kind: kindOf(text(n.attributes["flujo.step.type"])), parent: parent,
			input: text(n.attributes["step_input"]), inputPlace: n.title(), why: text(n.attributes["feedback"]),
			failed: n.status == "failed" || n.status == "error" || n.attributes["success"] == "false",
			record: b.arena.Add(n.own, n.title()),
		}
		b.steps = append(b.steps, n.step)
	}
	for _, c := range n.children {
		b.stepsOf(c, n.step)
	}
}

// alone makes steps of the results that no span tells of.
func (c *collector) alone() {
	for i := range c.results {
		r := &c.results[i]
		if r.step != nil {
			continue
		}
		r.step = &step{name: r.name, kind: stepThread, failed: r.failed, why: r.feedback, record: c.arena.Add(r.raw, r.place)}
		if r.complex {
			r.step.kind = loopThread
		}
		c.steps = append(c.steps, r.step)
		c.inside(r.step, r.nested, "result")
	}
}

// divide gives each step the calls that were made outside the conversation, and
// returns those made in it. Without turns there is no conversation to be in.
func (b *build) divide(calls []call) []call {
	var talk []call
	for _, c := range calls {
		if c.owner == nil || len(b.turns) > 0 && (c.group >= 0 || c.seesTurns()) {
			talk = append(talk, c)
			continue
		}
		c.owner.calls = append(c.owner.calls, c)
	}
	return talk
}

// seesTurns reports whether the recorded request holds turns of the conversation.
func (c *call) seesTurns() bool {
	if c.unread != nil || c.Badges.Has(model.ConversationInjected) {
		return true
	}
	for _, s := range c.Sent {
		if s.Index >= 0 {
			return true
		}
	}
	return false
}

// threads makes a thread of every step. Where the conversation has turns it
// stands for the run, and for the loop if there is one only; the threads of steps
// tell the tree and hold the calls made outside it. Else they hold what the steps
// were given and answered.
func (b *build) threads() []*model.Thread {
	talks := len(b.turns) > 0
	var loops []*step
	for _, s := range b.steps {
		if s.kind == loopThread {
			loops = append(loops, s)
		}
	}
	var list []*model.Thread
	ids := map[string]int{conversationID: 1}
	for _, s := range b.steps {
		if talks && len(loops) == 1 && s == loops[0] && len(s.calls) == 0 {
			s.id = conversationID
			b.fail(b.thread, s)
			continue
		}
		s.id = unique(ids, s.name)
		t := b.stepThread(s, talks)
		switch {
		case s.parent != nil:
			t.Thread().ParentID = s.parent.id
		case talks:
			t.Thread().ParentID = conversationID
		}
		list = append(list, t.Build())
	}
	if !talks && len(list) > 0 && len(b.thread.Thread().Calls)+len(b.thread.Thread().Markers) == 0 {
		return list
	}
	return append([]*model.Thread{b.thread.Build()}, list...)
}

// unique numbers what has been seen before: ids counts how often.
func unique(ids map[string]int, name string) string {
	if name == "" {
		name = "step"
	}
	id := name
	for ids[id] > 0 {
		ids[name]++
		id = fmt.Sprintf("%s-%d", name, ids[name])
	}
	ids[id]++
	return id
}

func (b *build) stepThread(s *step, talks bool) *model.ThreadBuilder {
	tb := model.NewThread(s.id, s.kind)
	t := tb.Thread()
	t.Title = s.name
	if s.note != "" {
		t.Title += " (" + s.note + ")"
	}
	if !talks && s.input != "" && (len(s.calls) > 0 || s.kind == runThread) {
		b.derived(tb, model.Message{
			Role: model.User, Source: "derived: input of the step", Origin: []model.Ref{s.record},
			Parts: []model.Part{{Kind: model.Text, Body: b.arena.Add(s.input, s.inputPlace)}},
		})
	}
	for i := range s.calls {
		c := &s.calls[i]
		c.Given, c.Reply = tb.Len(), model.Maybe{}
		if !talks && !c.answer.None() {
			m := model.Message{Role: model.Assistant, Step: c.step, Source: c.source(), Parts: []model.Part{{Kind: model.Text, Body: c.answer}}}
			m.Origin = []model.Ref{c.Evidence}
			reply := b.derived(tb, m)
			c.Reply = model.Some(reply)
			if c.iteration > 0 {
				tb.At(reply).Turn = model.Some(c.iteration)
			}
		}
		tb.Call(c.Call)
	}
	b.fail(tb, s)
	return tb
}

// derived adds a message that the record holds as the input or output of a step.
func (b *build) derived(tb *model.ThreadBuilder, m model.Message) int {
	m.Badges = m.Badges.With(model.Reconstructed)
	b.Message()
	return tb.Add(m)
}

// fail marks where a step failed, with what it says of it.
func (b *build) fail(tb *model.ThreadBuilder, s *step) {
	if !s.failed {
		return
	}
	t := tb.Thread()
	t.Markers = append(t.Markers, model.Marker{
		Kind: model.ErrorMarker, After: tb.Len() - 1, Origin: s.record,
		Detail: append(detail("step", s.name), detail("feedback", s.why)...),
	})
}

// source says where an answer came from, as far as it is known.
func (c *call) source() string {
	if where := iterationNote(c); where != "" {
		return "derived: " + where
	}
	return ""
}
