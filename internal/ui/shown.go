package ui

import (
	"fmt"
	"hash/fnv"
	"sort"

	"agentlens/internal/curate"
	"agentlens/internal/model"
	"agentlens/internal/safe"
)

// itemKind is what a row of the two message panes stands for.
type itemKind uint8

const (
	messageItem itemKind = iota
	addedItem            // a message that only the view has
	promptItem           // the rendered prompt of the call
	markerItem           // an event of the record
	horizonItem          // here the call was sent
)

// An item is one row of the two message panes: left the history, right what the
// provider saw. Items are in the order of the thread, so that the same message
// stands at the same height on both sides.
type item struct {
	kind    itemKind
	later   bool   // after the call: not given to it
	index   int32  // of the message or marker; of a moved message in an addedItem; else -1
	entry   int32  // of the view, or -1
	gap     int32  // the gap it lies in, or -1
	variant uint64 // of the text on the right; 0: as recorded
}

// A gap is a run of messages the view does not have.
type gap struct {
	first, last int // items
	count       int
	tokens      int64
	by          safe.Safe // the stage that dropped them
	why         safe.Safe // the reason of the first
	given       bool      // they were given to the call
}

// shown is a view made ready for the screen. It is built in a command and only
// read afterwards.
type shown struct {
	thread *model.Thread
	call   int
	view   *model.View
	basis  model.Basis // of the record; the view's own is Simulated for a what-if
	whatIf bool        // the record tells nothing: a passthrough what-if is shown
	chain  string      // "" for the recorded view
	failed bool        // a program of the chain failed: this is shown in its place
	exact  bool        // token figures are counts
	method string
	rest   int64 // tokens that prompts hold beside the messages, 0 where not known
	// was is what the record tells was sent, where a chain is shown in its place; -1
	// where it does not tell.
	was int64
	// problems are those the provider of the run would have with the view.
	problems int

	items   []item
	at      []int32 // item of each message of the thread
	gaps    []gap
	marks   []safe.Safe // a label for each marker of the thread
	horizon int         // item, or -1
	digits  int         // of the largest index
	tokens  []int32
	counts  [4]int // entries by fate
	broken  int    // pairs of a call and its result that the view does not keep whole
	paired  bool   // there are such pairs in the view
}

// recordedCall is the call of the record that the view is of, nil for the one after it.
func (s *shown) recordedCall() *model.Call {
	if s.call > len(s.thread.Calls) {
		return nil
	}
	return &s.thread.Calls[s.call-1]
}

// align lays a view beside its history.
func (s *shown) align(gate *safe.Gate) {
	b := aligner{shown: s, gate: gate, seen: map[string]safe.Safe{}}
	t := s.thread
	s.at = make([]int32, t.Len())
	s.items = make([]item, 0, t.Len()+len(t.Markers)+8)
	s.horizon, s.digits = -1, len(fmt.Sprint(max(t.Len()-1, 0)))
	if s.chain == "" && s.call <= len(t.Calls) && !t.Calls[s.call-1].Prompt.None() {
		b.add(item{kind: promptItem, index: -1, entry: -1})
	}
	b.markers(-1)
	for i := range s.view.Entries {
		b.entry(int32(i), &s.view.Entries[i])
	}
	s.broken = curate.BrokenPairs(t, s.view)
	if b.next < t.Len() {
		s.horizon = len(s.items)
		b.add(item{kind: horizonItem, index: -1, entry: -1})
		b.later = true
		b.until(t.Len())
	}
}

// aligner walks a thread and a view at once.
type aligner struct {
	*shown
	gate  *safe.Gate
	next  int // message of the thread
	mark  int // marker of the thread
	later bool
	seen  map[string]safe.Safe
}

func (b *aligner) add(it item) {
	it.later, it.gap = b.later, -1
	b.items = append(b.items, it)
}

func (b *aligner) entry(i int32, e *model.Entry) {
	b.counts[e.Fate]++
	b.paired = b.paired || e.Fate != model.WasDropped && e.Index >= 0 && b.thread.At(int(e.Index)).Group >= 0
	if int(e.Index) < b.next { // added, or a message that stands elsewhere in the view
		b.add(item{kind: addedItem, index: e.Index, entry: i, variant: variantOf(e)})
		return
	}
	b.until(int(e.Index))
	b.message(i, variantOf(e))
	last := len(b.items) - 1
	if e.Fate == model.WasDropped {
		b.gapAt(last, e, int64(e.WasTokens))
	}
	b.markers(int(e.Index))
}

// until adds the messages before n that the view says nothing of.
func (b *aligner) until(n int) {
	for b.next < n {
		i := b.next
		b.message(-1, 0)
		if !b.later {
			b.gapAt(len(b.items)-1, nil, int64(b.tokens[i]))
		}
		b.markers(i)
	}
}

func (b *aligner) message(entry int32, variant uint64) {
	b.at[b.next] = int32(len(b.items))
	b.add(item{kind: messageItem, index: int32(b.next), entry: entry, variant: variant})
	b.next++
}

// gapAt puts the item into the gap before it, or begins one. e is nil for a
// message that was not given to the call.
func (b *aligner) gapAt(it int, e *model.Entry, tokens int64) {
	var by, why safe.Safe
	if e != nil {
		by, why = b.safe(e.By), b.safe(e.Reason)
	}
	if n := len(b.gaps); n == 0 || b.gaps[n-1].last != it-1 || b.gaps[n-1].by != by || b.gaps[n-1].given != (e != nil) {
		b.gaps = append(b.gaps, gap{first: it, by: by, why: why, given: e != nil})
	}
	g := &b.gaps[len(b.gaps)-1]
	g.last = it
	g.count++
	g.tokens += tokens
	b.items[it].gap = int32(len(b.gaps) - 1)
}

// safe is a stage or a reason through the gate; there are few different ones.
func (b *aligner) safe(s string) safe.Safe {
	safe, ok := b.seen[s]
	if !ok {
		safe = b.gate.Line(s)
		b.seen[s] = safe
	}
	return safe
}

// markers adds the markers that follow message after.
func (b *aligner) markers(after int) {
	for ; b.mark < len(b.thread.Markers) && b.thread.Markers[b.mark].After <= after; b.mark++ {
		b.add(item{kind: markerItem, index: int32(b.mark), entry: -1})
	}
}

// find is the item of message i, or the nearest before it.
func (s *shown) find(i int) int {
	if len(s.at) == 0 {
		return 0
	}
	return int(s.at[min(max(i, 0), len(s.at)-1)])
}

// message is the index of the message nearest to an item: its own, or the one before.
func (s *shown) message(it int) int {
	n := sort.Search(len(s.at), func(i int) bool { return int(s.at[i]) > it })
	return max(n-1, 0)
}

func (s *shown) entry(it *item) *model.Entry {
	if it.entry < 0 {
		return nil
	}
	return &s.view.Entries[it.entry]
}

// want is what a side of the screen needs to show an item; ok is false where
// it shows nothing of a message.
func (s *shown) want(it *item, right bool) (w want, ok bool) {
	switch it.kind {
	case promptItem:
		return want{key: bodyKey{-2, uint64(s.call)}, ref: s.thread.Calls[s.call-1].Prompt}, right
	case addedItem:
		w = want{key: bodyKey{-1, it.variant}, entry: s.entry(it)}
		if it.index >= 0 {
			w.key.index, w.message = it.index, s.thread.At(int(it.index))
			if it.variant == 0 {
				w.entry = nil
			}
		}
		return w, right
	case messageItem:
		w = want{key: bodyKey{index: it.index}, message: s.thread.At(int(it.index))}
		if right && it.variant != 0 {
			w.key.variant, w.entry = it.variant, s.entry(it)
		}
		return w, !right || it.entry >= 0 && it.gap < 0
	}
	return want{}, false
}

// key names an item for folding, whichever view it is seen in.
func (s *shown) key(it *item) bodyKey {
	switch it.kind {
	case messageItem:
		return bodyKey{index: it.index}
	case promptItem:
		return bodyKey{index: -2, variant: uint64(s.call)}
	}
	return bodyKey{index: -1, variant: it.variant}
}

// variantOf tells texts of the same message in different views apart.
func variantOf(e *model.Entry) uint64 {
	if e.Index >= 0 && e.Text == nil && e.Calls == nil && !e.NoThinking && !e.EmptyArgs {
		return 0
	}
	h := fnv.New64a()
	fmt.Fprint(h, e.Role, e.Calls, e.Calls == nil, e.NoThinking, e.EmptyArgs, e.Text == nil)
	for _, p := range e.Text {
		fmt.Fprint(h, p.Start, p.End, len(p.Insert))
		h.Write([]byte(p.Insert))
	}
	return h.Sum64() | 1
}
