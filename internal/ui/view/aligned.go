package view

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
	MessageItem itemKind = iota
	AddedItem            // a message that only the view has
	PromptItem           // the rendered prompt of the call
	MarkerItem           // an event of the record
	HorizonItem          // here the call was sent
)

// An Item is one row of the two message panes: left the history, right what the
// provider saw. Items are in the order of the thread, so that the same message
// stands at the same height on both sides.
type Item struct {
	Kind    itemKind
	Later   bool   // after the call: not given to it
	Index   int32  // of the message or marker; of a moved message in an addedItem; else -1
	entry   int32  // of the view, or -1
	Gap     int32  // the gap it lies in, or -1
	variant uint64 // of the text on the right; 0: as recorded
}

// A Gap is a run of messages the view does not have.
type Gap struct {
	First, Last int // items
	Count       int
	Tokens      int64
	By          safe.Safe // the stage that dropped them
	Why         safe.Safe // the reason of the first
	Given       bool      // they were given to the call
}

// Aligned is a view made ready for the screen. It is built in a command and only
// read afterwards.
type Aligned struct {
	Thread *model.Thread
	Call   int
	View   *model.View
	basis  model.Basis // of the record; the view's own is Simulated for a what-if
	WhatIf bool        // the record tells nothing: a passthrough what-if is shown
	Chain  string      // "" for the recorded view
	failed bool        // a program of the chain failed: this is shown in its place
	Exact  bool        // token figures are counts
	Method string
	Rest   int64 // tokens that prompts hold beside the messages, 0 where not known
	// Was is what the record tells was sent, where a chain is shown in its place; -1
	// where it does not tell.
	Was int64
	// Problems are those the provider of the run would have with the view.
	Problems int

	Items   []Item
	at      []int32 // item of each message of the thread
	Gaps    []Gap
	Marks   []safe.Safe // a label for each marker of the thread
	Horizon int         // item, or -1
	Digits  int         // of the largest index
	Tokens  []int32
	Counts  [4]int // entries by fate
	Broken  int    // pairs of a call and its result that the view does not keep whole
	Paired  bool   // there are such pairs in the view
}

// RecordedCall is the call of the record that the view is of, nil for the one after it.
func (s *Aligned) RecordedCall() *model.Call {
	if s.Call > len(s.Thread.Calls) {
		return nil
	}
	return &s.Thread.Calls[s.Call-1]
}

// align lays a view beside its history.
func (s *Aligned) align(gate *safe.Gate) {
	b := aligner{Aligned: s, gate: gate, seen: map[string]safe.Safe{}}
	t := s.Thread
	s.at = make([]int32, t.Len())
	s.Items = make([]Item, 0, t.Len()+len(t.Markers)+8)
	s.Horizon, s.Digits = -1, len(fmt.Sprint(max(t.Len()-1, 0)))
	if s.Chain == "" && s.Call <= len(t.Calls) && !t.Calls[s.Call-1].Prompt.None() {
		b.add(Item{Kind: PromptItem, Index: -1, entry: -1})
	}
	b.markers(-1)
	for i := range s.View.Entries {
		b.Entry(int32(i), &s.View.Entries[i])
	}
	s.Broken = curate.BrokenPairs(t, s.View)
	if b.next < t.Len() {
		s.Horizon = len(s.Items)
		b.add(Item{Kind: HorizonItem, Index: -1, entry: -1})
		b.later = true
		b.until(t.Len())
	}
}

// aligner walks a thread and a view at once.
type aligner struct {
	*Aligned
	gate  *safe.Gate
	next  int // message of the thread
	mark  int // marker of the thread
	later bool
	seen  map[string]safe.Safe
}

func (b *aligner) add(it Item) {
	it.Later, it.Gap = b.later, -1
	b.Items = append(b.Items, it)
}

func (b *aligner) Entry(i int32, e *model.Entry) {
	b.Counts[e.Fate]++
	b.Paired = b.Paired || e.Fate != model.WasDropped && e.Index >= 0 && b.Thread.At(int(e.Index)).Group >= 0
	if int(e.Index) < b.next { // added, or a message that stands elsewhere in the view
		b.add(Item{Kind: AddedItem, Index: e.Index, entry: i, variant: variantOf(e)})
		return
	}
	b.until(int(e.Index))
	b.Message(i, variantOf(e))
	last := len(b.Items) - 1
	if e.Fate == model.WasDropped {
		b.gapAt(last, e, int64(e.WasTokens))
	}
	b.markers(int(e.Index))
}

// until adds the messages before n that the view says nothing of.
func (b *aligner) until(n int) {
	for b.next < n {
		i := b.next
		b.Message(-1, 0)
		if !b.later {
			b.gapAt(len(b.Items)-1, nil, int64(b.Tokens[i]))
		}
		b.markers(i)
	}
}

func (b *aligner) Message(entry int32, variant uint64) {
	b.at[b.next] = int32(len(b.Items))
	b.add(Item{Kind: MessageItem, Index: int32(b.next), entry: entry, variant: variant})
	b.next++
}

// gapAt puts the item into the gap before it, or begins one. e is nil for a
// message that was not given to the call.
func (b *aligner) gapAt(it int, e *model.Entry, tokens int64) {
	var by, why safe.Safe
	if e != nil {
		by, why = b.Safe(e.By), b.Safe(e.Reason)
	}
	if n := len(b.Gaps); n == 0 || b.Gaps[n-1].Last != it-1 || b.Gaps[n-1].By != by || b.Gaps[n-1].Given != (e != nil) {
		b.Gaps = append(b.Gaps, Gap{First: it, By: by, Why: why, Given: e != nil})
	}
	g := &b.Gaps[len(b.Gaps)-1]
	g.Last = it
	g.Count++
	g.Tokens += tokens
	b.Items[it].Gap = int32(len(b.Gaps) - 1)
}

// Safe is a stage or a reason through the gate; there are few different ones.
func (b *aligner) Safe(s string) safe.Safe {
	safe, ok := b.seen[s]
	if !ok {
		safe = b.gate.Line(s)
		b.seen[s] = safe
	}
	return safe
}

// markers adds the markers that follow message after.
func (b *aligner) markers(after int) {
	for ; b.mark < len(b.Thread.Markers) && b.Thread.Markers[b.mark].After <= after; b.mark++ {
		b.add(Item{Kind: MarkerItem, Index: int32(b.mark), entry: -1})
	}
}

// Find is the item of message i, or the nearest before it.
func (s *Aligned) Find(i int) int {
	if len(s.at) == 0 {
		return 0
	}
	return int(s.at[min(max(i, 0), len(s.at)-1)])
}

// Message is the index of the message nearest to an item: its own, or the one before.
func (s *Aligned) Message(it int) int {
	n := sort.Search(len(s.at), func(i int) bool { return int(s.at[i]) > it })
	return max(n-1, 0)
}

func (s *Aligned) Entry(it *Item) *model.Entry {
	if it.entry < 0 {
		return nil
	}
	return &s.View.Entries[it.entry]
}

// Want is what a side of the screen needs to show an item; ok is false where
// it shows nothing of a message.
func (s *Aligned) Want(it *Item, right bool) (w Request, ok bool) {
	switch it.Kind {
	case PromptItem:
		return Request{Key: Key{-2, uint64(s.Call)}, ref: s.Thread.Calls[s.Call-1].Prompt}, right
	case AddedItem:
		w = Request{Key: Key{-1, it.variant}, Entry: s.Entry(it)}
		if it.Index >= 0 {
			w.Key.index, w.Message = it.Index, s.Thread.At(int(it.Index))
			if it.variant == 0 {
				w.Entry = nil
			}
		}
		return w, right
	case MessageItem:
		w = Request{Key: Key{index: it.Index}, Message: s.Thread.At(int(it.Index))}
		if right && it.variant != 0 {
			w.Key.variant, w.Entry = it.variant, s.Entry(it)
		}
		return w, !right || it.entry >= 0 && it.Gap < 0
	}
	return Request{}, false
}

// Key names an item for folding, whichever view it is seen in.
func (s *Aligned) Key(it *Item) Key {
	switch it.Kind {
	case MessageItem:
		return Key{index: it.Index}
	case PromptItem:
		return Key{index: -2, variant: uint64(s.Call)}
	}
	return Key{index: -1, variant: it.variant}
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
