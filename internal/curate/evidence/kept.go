package evidence

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	"agentlens/internal/model"
)

// KeptAs returns the name under which the evidence of a thread, and what follows from its words, is kept between two
// starts of the program. It differs if the thread has another form, whose texts may be the same, and after each change
// of this package.
func KeptAs(run *model.Run, t *model.Thread) string {
	h := sha256.New()
	var b []byte
	number := func(n ...int64) {
		for _, n := range n {
			b = binary.AppendVarint(b, n)
		}
	}
	flush := func(least int) {
		if len(b) >= least {
			h.Write(b)
			b = b[:0]
		}
	}
	index := func(m model.Maybe) int64 { return int64(m.Or(-1)) }
	b = append(b, strings.Trim(run.Project, "/")+"\n"...)
	for i := range t.Len() {
		m := t.At(i)
		number(int64(m.Role), int64(m.Badges), int64(m.Call), int64(len(m.Calls)))
		if m.IsError {
			number(-1)
		}
		for j := range m.Calls {
			number(index(m.Calls[j].Result))
		}
		flush(4 << 10)
	}
	for i := range t.Calls {
		c := &t.Calls[i]
		number(int64(c.Given), index(c.Reply), int64(len(c.GivenList())))
		for _, g := range c.GivenList() {
			number(int64(g))
		}
		flush(4 << 10)
	}
	flush(0)
	return "evidence " + version + " " + hex.EncodeToString(h.Sum(nil)[:16])
}

// pack returns the evidence as numbers. They name words by their places in the replies, and hold no text.
func (e *Evidence) pack() (list []int32) {
	add := func(n ...int32) { list = append(list, n...) }
	many := func(of []int32) { add(append([]int32{int32(len(of))}, of...)...) }
	add(int32(len(e.words)))
	for i := range e.words {
		w := &e.words[i]
		add(w.of, int32(w.weight))
		if w.phrase {
			list[len(list)-1] |= phraseBit
		}
		many(w.holders)
		many(w.hints)
	}
	add(int32(len(e.inside)))
	for _, id := range slices.Sorted(maps.Keys(e.inside)) {
		add(id)
		many(e.inside[id])
	}
	for c := range e.calls {
		n := &e.calls[c]
		add(int32(len(n.sources)))
		for _, s := range n.sources {
			add(s.message)
			many(s.words)
		}
		add(int32(len(n.repeats)))
		for _, r := range n.repeats {
			add(r.result, r.nth)
		}
	}
	add(int32(len(e.demands)))
	for i := range e.demands {
		d := &e.demands[i]
		add(d.message, d.until)
		many(d.again)
	}
	return list
}

const phraseBit = 1 << 8

// unpack sets the evidence to what pack returned. It reports whether the numbers fit the thread.
func (e *Evidence) unpack(list []int32) bool {
	n := numbers{rest: list}
	messages := int32(e.thread.Len())
	words := make([]evidenceWord, n.next(0, int32(len(list))))
	before := int32(-1)
	for i := range words {
		before = n.next(before+1, 1<<31-1)
		kind := n.next(0, 2*phraseBit-1)
		words[i] = evidenceWord{of: before, weight: weight(kind &^ phraseBit), phrase: kind&phraseBit != 0, holders: n.many(messages), hints: n.many(messages)}
		n.bad = n.bad || len(words[i].holders) == 0
	}
	inside := map[int32][]int32{}
	for range n.next(0, int32(len(words))) {
		id := n.next(0, int32(len(words))-1)
		inside[id] = n.many(int32(len(words)))
	}
	calls := make([]needs, len(e.calls))
	for c := range calls {
		n.needs(&calls[c], e.thread, c, int32(len(words)))
	}
	demands := make([]demand, n.next(0, messages))
	for i := range demands {
		demands[i] = demand{message: n.next(0, messages-1), until: n.next(-1, messages-1), again: n.many(messages)}
	}
	if n.bad || len(n.rest) > 0 {
		return false
	}
	e.words, e.inside, e.calls, e.demands = words, inside, calls, demands
	e.lookup, e.unread = newLookup(e.run), true
	e.lookup.fill = e.recall
	return true
}

// numbers reads a list of numbers. Once a number does not fit, bad is set, and all others are as small as possible.
type numbers struct {
	rest []int32
	bad  bool
}

// next returns the next number, from least to most.
func (n *numbers) next(least, most int32) int32 {
	if n.bad || len(n.rest) == 0 || n.rest[0] < least || n.rest[0] > most {
		n.bad = true
		return least
	}
	v := n.rest[0]
	n.rest = n.rest[1:]
	return v
}

// many returns a list of numbers below a limit, which begins with its length.
func (n *numbers) many(below int32) []int32 {
	count := n.next(0, int32(len(n.rest)))
	if n.bad || int(count) > len(n.rest) || count == 0 {
		n.bad = n.bad || count > 0
		return nil
	}
	list := n.rest[:count:count]
	n.rest = n.rest[count:]
	n.bad = slices.Min(list) < 0 || slices.Max(list) >= below
	return list
}

// needs reads what the reply of the call with index c needed.
func (n *numbers) needs(to *needs, t *model.Thread, c int, words int32) {
	messages := int32(t.Len())
	for range n.next(0, int32(len(n.rest))) {
		s := cited{n.next(0, messages-1), n.many(words)}
		if n.bad = n.bad || len(s.words) == 0; n.bad {
			return
		}
		to.sources = append(to.sources, s)
	}
	for range n.next(0, int32(len(n.rest))) {
		r := repeat{n.next(0, messages-1), n.next(0, int32(len(n.rest)))}
		i := t.Calls[c].Reply.Or(-1)
		if n.bad = n.bad || i < 0 || i >= t.Len() || int(r.nth) >= len(t.At(i).Calls); n.bad {
			return
		}
		to.repeats = append(to.repeats, r)
	}
}

// recall finds the words again, whose texts are not kept. Of a record that can no longer be read, no words are known.
func (e *Evidence) recall() {
	l := e.lookup
	l.texts = make([]string, len(e.words))
	again := newLookup(e.run)
	again.seed = l.seed
	f, _, err := readReplies(context.Background(), e.run, e.thread, again, func(int) {})
	if last := len(e.words) - 1; err != nil || last >= 0 && int(e.words[last].of) >= len(f.words) {
		return
	}
	of := f.narrow(e.words)
	l.aliases, l.phrases, l.grams, l.known, l.texts = of.aliases, of.phrases, of.grams, of.known, of.texts
}

// spoken returns a demand with its text. Texts are not kept, but read together when one is needed.
func (e *Evidence) spoken(d *demand) *demand {
	if e.unread {
		e.speak.Do(func() {
			for i := range e.demands {
				d := &e.demands[i]
				if text, err := e.run.Text(e.thread.At(int(d.message))); err == nil {
					d.text, d.sentences = excerpt(text), sentencesOf(text)
				}
			}
		})
	}
	return d
}
