package evidence

import (
	"agentlens/internal/curate/engine"
	"agentlens/internal/model"
)

// A Share is how much of something was lost.
type Share struct{ Lost, Of float64 }

func (s *Share) add(lost float64) { s.Lost, s.Of = s.Lost+lost, s.Of+1 }

// A Loss is what a view lacks of the [Evidence].
type Loss struct {
	// Cited counts the messages a reply cites; one of which the view has part of
	// the cited words, in whatever message, counts by the share of words it lacks.
	Cited Share
	// Instructions counts the messages of the person that the view drops.
	Instructions Share
	// Repeats counts the results that were wanted again and are dropped or changed.
	Repeats Share
}

// Add adds the loss at another call.
func (l *Loss) Add(m Loss) {
	for _, s := range []struct{ to, from *Share }{{&l.Cited, &m.Cited}, {&l.Instructions, &m.Instructions}, {&l.Repeats, &m.Repeats}} {
		s.to.Lost += s.from.Lost
		s.to.Of += s.from.Of
	}
}

// Share is what was lost of all three together, from 0 to 1; not known where
// there is no evidence.
func (l Loss) Share() (lost float64, known bool) {
	of := l.Cited.Of + l.Instructions.Of + l.Repeats.Of
	if of == 0 {
		return 0, false
	}
	return (l.Cited.Lost + l.Instructions.Lost + l.Repeats.Lost) / of, true
}

// Audit compares the view of every recorded call with the evidence of its thread. A
// call whose view is not known has no loss and no evidence.
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
	words  map[int32]map[int32]bool // per variant, the words of the evidence it has
	sent   map[int32]bool           // messages of a recorded request; nil without one
	extra  map[int32]bool           // words of what was added to the view of the call
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

// look finds what is particular to a call: the request as recorded, and what was
// added.
func (a *audit) look(n int) {
	a.sent, a.extra = nil, nil
	if sent := a.r.Sent(n); sent != nil {
		a.sent, a.extra = make(map[int32]bool, len(sent)), map[int32]bool{}
		for _, s := range sent {
			a.sent[s.Index] = true
			if s.Index < 0 {
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

// has reports whether the view of call n has a word.
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

// at returns message i as it is in the view of call n.
func (a *audit) at(n int, i int32) engine.Item {
	if a.sent != nil {
		return engine.Item{Live: a.sent[i]}
	}
	return a.r.Item(a.r.KeyOf(int(i)), n)
}

// wordsOf returns the words of the evidence that the message at k has.
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
