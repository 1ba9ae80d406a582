package evidence

import (
	"hash/maphash"
	"slices"

	"agentlens/internal/curate/engine"
)

// A Pair is a message that a reply needed and that the view of its call had lost.
type Pair struct {
	Message int32
	Reply   int
	Call    int
	Words   []string // of the message, used by the reply and nowhere in the view
	Repeat  bool     // the reply repeats the call whose result Message is
}

// Pairs returns what the replies of a thread needed and their views had lost, in order of
// the calls. Calls with unknown views have none.
func Pairs(r *engine.Replayed, e *Evidence) ([]Pair, error) {
	in := r.Input()
	a := audit{r: r, e: e, run: in.Run, thread: in.Thread, added: r.Added(), words: map[int32]map[int32]bool{}}
	var pairs []Pair
	for n := 1; n <= r.Calls(); n++ {
		need := &e.calls[n-1]
		if !r.Has(n) || len(need.cited)+len(need.repeats) == 0 {
			continue
		}
		a.look(n)
		reply := in.Thread.Calls[n-1].Reply.Or(0)
		lost := map[int32]int{} // word → position in pairs
		for _, s := range need.cited {
			words := slices.DeleteFunc(slices.Clone(s.words), func(w int32) bool { return a.has(n, w) })
			if len(words) > 0 {
				pairs = append(pairs, Pair{Message: s.message, Reply: reply, Call: n})
			}
			for _, w := range words {
				lost[w] = len(pairs) - 1
			}
		}
		for _, i := range need.repeats {
			if it := a.at(n, i); !it.Live || it.Variant != 0 {
				pairs = append(pairs, Pair{Message: i, Reply: reply, Call: n, Repeat: true})
			}
		}
		if err := a.spell(reply, lost, pairs); err != nil {
			return nil, err
		}
	}
	return pairs, nil
}

// spell adds the lost words of a reply to their pairs.
func (a *audit) spell(reply int, lost map[int32]int, pairs []Pair) error {
	if len(lost) == 0 {
		return nil
	}
	return EachWord(a.run, a.thread, reply, func(word string) {
		id, ok := a.e.words[maphash.String(a.e.seed, word)]
		if at, is := lost[id]; ok && is {
			pairs[at].Words = append(pairs[at].Words, word)
			delete(lost, id)
		}
	})
}
