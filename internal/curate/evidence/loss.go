package evidence

import (
	"agentlens/internal/curate/engine"
	"agentlens/internal/model"
)

// A Share is the lost part of a whole.
type Share struct{ Lost, Of float64 }

func (s *Share) add(lost float64) { s.Lost, s.Of = s.Lost+lost, s.Of+1 }

// A Loss is the part of the [Evidence] that is missing from a view.
type Loss struct {
	// Cited counts the messages that a reply cites. A message counts in proportion to its cited
	// words that appear nowhere in the view.
	Cited Share
	// Instructions counts the user's messages that the view drops.
	Instructions Share
	// Repeats counts the results that a later call requested again and that the view drops or
	// changes.
	Repeats Share
}

// Add adds the loss at another call.
func (l *Loss) Add(m Loss) {
	for _, s := range []struct{ to, from *Share }{{&l.Cited, &m.Cited}, {&l.Instructions, &m.Instructions}, {&l.Repeats, &m.Repeats}} {
		s.to.Lost += s.from.Lost
		s.to.Of += s.from.Of
	}
}

// Share returns the lost share of all three, from 0 to 1. It is unknown if there is no
// evidence.
func (l Loss) Share() (lost float64, known bool) {
	of := l.Cited.Of + l.Instructions.Of + l.Repeats.Of
	if of == 0 {
		return 0, false
	}
	return (l.Cited.Lost + l.Instructions.Lost + l.Repeats.Lost) / of, true
}

// Audit compares the view of every recorded call with the evidence of its thread. A call with
// an unknown view has neither loss nor evidence.
func Audit(r *engine.Replayed, e *Evidence) []Loss {
	in := r.Input()
	a := audit{r: r, e: e, run: in.Run, thread: in.Thread, added: r.Added(), words: map[int32]map[int32]bool{}}
	losses := make([]Loss, r.Calls())
	for c := range losses {
		if r.Has(c + 1) {
			losses[c] = a.call(c + 1)
		}
	}
	return losses
}

type audit struct {
	r      *engine.Replayed
	e      *Evidence
	run    *model.Run
	thread *model.Thread
	added  []engine.Key
	words  map[int32]map[int32]bool // per variant, the evidence words that it contains
	sent   map[int32]bool           // messages of a recorded request; nil without one
	extra  map[int32]bool           // words of the messages added to the view of the call
}

func (a *audit) call(n int) Loss {
	var l Loss
	a.look(n)
	need := &a.e.calls[n-1]
	for _, s := range need.cited {
		lost := 0.0
		for _, w := range s.words {
			if !a.has(n, w) {
				lost++
			}
		}
		l.Cited.add(lost / float64(len(s.words)))
	}
	call := &a.thread.Calls[n-1]
	for _, i := range a.e.users {
		if given(call, i) {
			l.Instructions.add(b2f(!a.at(n, i).Live))
		}
	}
	for _, i := range need.repeats {
		it := a.at(n, i)
		l.Repeats.add(b2f(!it.Live || it.Variant != 0))
	}
	return l
}

// look prepares what is specific to a call: the recorded request, and added messages.
func (a *audit) look(n int) {
	a.sent, a.extra = nil, nil
	if sent := a.r.Sent(n); sent != nil {
		a.sent, a.extra = make(map[int32]bool, len(sent)), map[int32]bool{}
		for _, s := range sent {
			if i, ok := s.Index.Get(); ok {
				a.sent[int32(i)] = true
			} else {
				if text, err := a.run.Body(s.Body); err == nil {
					a.e.eachOf(text, func(w int32) { a.extra[w] = true })
				}
			}
		}
		return
	}
	for _, k := range a.added {
		it := a.r.Item(k, n)
		if !it.Live {
			continue
		}
		if a.extra == nil {
			a.extra = map[int32]bool{}
		}
		for w := range a.wordsOf(k, it) {
			a.extra[w] = true
		}
	}
}

// has reports whether the view of call n contains a word.
func (a *audit) has(n int, word int32) bool {
	if a.extra[word] {
		return true
	}
	holders := a.e.holders[word]
	for j := len(holders) - 1; j >= 0; j-- {
		it := a.at(n, holders[j])
		if it.Live && (it.Variant == 0 || a.wordsOf(a.r.KeyOf(int(holders[j])), it)[word]) {
			return true
		}
	}
	return false
}

// at returns message i in the view of call n.
func (a *audit) at(n int, i int32) engine.Item {
	if a.sent != nil {
		return engine.Item{Live: a.sent[i]}
	}
	return a.r.Item(a.r.KeyOf(int(i)), n)
}

// wordsOf returns the evidence words in the message at k.
func (a *audit) wordsOf(k engine.Key, it engine.Item) map[int32]bool {
	if words, ok := a.words[it.Variant]; ok {
		return words
	}
	words := map[int32]bool{}
	yield := func(w int32) { words[w] = true }
	text, calls := a.r.Said(k, it)
	a.e.eachOf(text, yield)
	for _, ref := range calls {
		args, _ := a.run.Body(ref)
		a.e.eachOf(args, yield)
	}
	a.words[it.Variant] = words
	return words
}

func b2f(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
