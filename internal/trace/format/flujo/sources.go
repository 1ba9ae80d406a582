package flujo

import (
	"slices"

	"agentlens/internal/model"
)

// What a turn came from is not recorded. It is told here by comparing texts,
// the way flujo adds turns: the input of the run first, each question to a person
// and its answer when the run pauses and resumes, and what the body of a loop
// answered when an iteration ends. See also [link].
const (
	fromInput    = "derived: initial input"
	fromQuestion = "derived: HITL question"
	fromAnswer   = "derived: HITL answer"
)

// exchanges marks the pauses that were answered, each after its question, and
// the resumption before the answer.
func (b *build) exchanges(list []exchange, origin model.Ref) {
	for _, x := range list {
		asked := b.find(model.Assistant, x.question, b.pause)
		q := asked
		if q < 0 {
			q = min(b.pause, len(b.turns)) - 1
		}
		a := b.find(model.User, x.answer, q+1)
		if a < 0 {
			a = q + 1
		}
		b.mark(model.Marker{Kind: model.Paused, After: q, Origin: origin, Detail: detail("message", x.question)})
		b.mark(model.Marker{Kind: model.Resumed, After: min(a, len(b.turns)) - 1, At: x.at, Origin: origin, Detail: detail("human_input", x.answer)})
		b.questions(x.question, b.pause, a)
		b.name(a, model.User, x.answer, fromAnswer)
		b.pause = a + 1
	}
}

// questions names the turns from one place up to another that are the question:
// flujo writes it down when it asks and once more when it is answered.
func (b *build) questions(question string, from, to int) {
	for i := max(from, 0); i < min(to, len(b.turns)); i++ {
		b.name(i, model.Assistant, question, fromQuestion)
	}
}

// name gives turn i a source if it is what that source would have said.
func (b *build) name(i int, role model.Role, text, source string) {
	if i < 0 || i >= len(b.turns) || text == "" || b.turns[i].role != role || b.turns[i].text != text {
		return
	}
	if m := b.thread.At(i); m.Source == "" {
		m.Source = source
	}
}

// seed names the turn that repeats the input of the first loop or of the run. In
// a run with questions it need not be the first turn of all.
func (b *build) seed() {
	inputs := []string{b.initial}
	for _, s := range b.steps {
		if s.kind == loopThread {
			inputs = append([]string{s.input}, inputs...)
			break
		}
	}
	for _, input := range inputs {
		if i := b.find(model.User, input, 0); i >= 0 {
			b.name(i, model.User, input, fromInput)
			return
		}
	}
}

// waiting marks the pause a run is still in, with where it will go on.
func (b *build) waiting(c runContext, origin model.Ref) {
	last := len(b.turns) - 1
	b.mark(model.Marker{Kind: model.Paused, After: last, Origin: origin, Detail: append(detail("message", c.pause), c.wait...)})
	b.questions(c.pause, b.pause, len(b.turns))
}

// find is the first turn from on that says text in role, or -1.
func (b *build) find(role model.Role, text string, from int) int {
	for i := max(from, 0); i < len(b.turns) && text != ""; i++ {
		if b.turns[i].role == role && b.turns[i].text == text {
			return i
		}
	}
	return -1
}

// told names the turns that body results gave which no model made: plain
// functions and steps named as sources of turns. Each result names at most one
// turn, none before those its iteration began with.
func (b *build) told(results []result) {
	byText := map[string][]int{}
	for i := range b.turns {
		if b.thread.At(i).Source == "" {
			byText[b.turns[i].text] = append(byText[b.turns[i].text], i)
		}
	}
	b.tell(results, byText, 0)
}

// tell goes through results in order; at is the first turn there may be one of.
// It returns that place for what follows.
func (b *build) tell(results []result, byText map[string][]int, at int) int {
	for i := range results {
		r := &results[i]
		if len(r.nested) > 0 {
			at = b.tell(r.nested, byText, at)
			continue
		}
		if r.agent() {
			continue
		}
		for _, s := range r.said() {
			list := byText[s.text]
			k, _ := slices.BinarySearch(list, max(at, r.common))
			if s.text == "" || k == len(list) {
				continue
			}
			m := b.thread.At(list[k])
			c := call{step: r.name, iteration: r.iteration}
			m.Step, m.Source = r.name, c.source()
			if r.iteration > 0 {
				m.Turn = model.Some(r.iteration)
			}
			at = list[k] + 1
			break
		}
	}
	return at
}

// keep stores the output of a step as a text or, if it is none, as JSON.
func (b *build) keep(output, place string) model.Ref {
	if t := text(output); t != "" {
		return b.arena.Add(t, place)
	}
	if output == "" || output == "null" || output[0] == '"' {
		return model.Ref{}
	}
	ref := b.arena.Add(output, place)
	ref.Form = model.JSONValue
	return ref
}
