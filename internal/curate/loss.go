package curate

import (
	"slices"

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

// Audit holds the view of every recorded call to the evidence of its thread. A
// call whose view is not known has no loss and no evidence.
func (r *Replayed) Audit(e *Evidence) []Loss {
	a := audit{r: r, e: e, words: map[int32]map[int32]bool{}}
	for k := range Key(len(r.heads)) {
		if r.heads[k] >= 0 && !r.space.IsMessage(k) {
			a.added = append(a.added, k)
		}
	}
	losses := make([]Loss, r.Calls())
	for c := range losses {
		if r.Has(c + 1) {
			losses[c] = a.call(c + 1)
		}
	}
	return losses
}

type audit struct {
	r     *Replayed
	e     *Evidence
	added []Key
	words map[int32]map[int32]bool // per variant, the words of the evidence it has
	sent  map[int32]bool           // messages of a recorded request; nil where there is none
	extra map[int32]bool           // words of what was added to the view of the call
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
	call := &a.r.in.Thread.Calls[n-1]
	for _, i := range a.e.users {
		if given(call, i) {
			l.Instructions.add(b2f(!a.live(n, i)))
		}
	}
	for _, i := range need.repeats {
		variant, live := a.at(n, i)
		l.Repeats.add(b2f(!live || variant != 0))
	}
	return l
}

// look finds what is particular to a call: the request as recorded, and what was
// added.
func (a *audit) look(n int) {
	a.sent, a.extra = nil, nil
	if sent := a.r.sent(n); sent != nil {
		a.sent, a.extra = make(map[int32]bool, len(sent)), map[int32]bool{}
		for _, s := range sent {
			a.sent[s.Index] = true
			if s.Index < 0 {
				if text, err := a.r.in.Run.Body(s.Body); err == nil {
					a.e.eachOf(text, func(w int32) { a.extra[w] = true })
				}
			}
		}
		return
	}
	for _, k := range a.added {
		e, ok := a.r.at(k, n)
		if !ok || e.fate == model.WasDropped {
			continue
		}
		if a.extra == nil {
			a.extra = map[int32]bool{}
		}
		for w := range a.wordsOf(k, e.variant) {
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
		i := holders[j]
		variant, live := a.at(n, i)
		if live && (variant == 0 || a.wordsOf(a.r.space.KeyOf(int(i)), variant)[word]) {
			return true
		}
	}
	return false
}

func (a *audit) live(n int, i int32) bool {
	_, live := a.at(n, i)
	return live
}

// at is the content of message i in the view of call n, if it is there.
func (a *audit) at(n int, i int32) (variant int32, live bool) {
	if a.sent != nil {
		return 0, a.sent[i]
	}
	e, ok := a.r.at(a.r.space.KeyOf(int(i)), n)
	return e.variant, ok && e.fate != model.WasDropped
}

// wordsOf are the words of the evidence that a variant of the message at k has.
func (a *audit) wordsOf(k Key, variant int32) map[int32]bool {
	if words, ok := a.words[variant]; ok {
		return words
	}
	c := a.r.contents.Read(k, Item{Variant: variant})
	words := map[int32]bool{}
	yield := func(w int32) { words[w] = true }
	a.e.eachOf(model.Join(c.Original, c.Text), yield)
	if a.r.space.IsMessage(k) && !c.EmptyArgs {
		m := a.r.in.Thread.At(a.r.space.Place(k))
		for j := range m.Calls {
			if c.Calls == nil || slices.Contains(c.Calls, j) {
				args, _ := a.r.in.Run.Body(m.Calls[j].Args)
				a.e.eachOf(args, yield)
			}
		}
	}
	a.words[variant] = words
	return words
}

func b2f(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
