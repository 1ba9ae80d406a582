package engine

import (
	"iter"

	"agentlens/internal/model"
)

// A Stage turns the view before it into the view after it, call by call. Its input
// says what changed since the call before, and it writes what changes to out.
type Stage interface {
	Step(f *Facts, in, out *Layer)
}

// Facts is what a stage may know at a call: nothing later than it.
type Facts struct {
	*Contents
	Number int
	Call   *model.Call // nil for the call after the record
	Given  int         // leading messages given

	stage    int
	program  func(command string, input []byte) ([]byte, error) // within the context of the replay
	replayed *Replayed
}

// Edit makes an edited content of the message at k, whose item is from. It returns
// the item that has the content.
func (f *Facts) Edit(k Key, from Item, e Edit) Item { return f.add(k, from, e) }

// Run runs a program of the user's: input on its standard input, its standard
// output back.
func (f *Facts) Run(command string, input []byte) ([]byte, error) { return f.program(command, input) }

// Dropped lists the messages that this stage drops at this call for a reason. It is
// for edits: the list is complete when a view is read.
func (f *Facts) Dropped(why Reason) iter.Seq2[Key, Item] {
	r, stage, call := f.replayed, f.stage, f.Number
	return func(yield func(Key, Item) bool) {
		for k := range Key(len(r.heads)) {
			e, ok := r.eventAt(k, call)
			if !ok || int(e.stage) != stage || e.why != why || e.fate != model.WasDropped {
				continue
			}
			if !yield(k, Item{Variant: e.variant, Live: true}) {
				return
			}
		}
	}
}

// A Reason says why a stage dropped, changed or added a message. [Reasons.Add]
// makes one.
type Reason uint16

// The reasons without a text of their own.
const (
	Gone   Reason = 0 // dropped: it is not in the input
	AsIs   Reason = 0 // put: it is as it is in the input
	ByEdit Reason = 0 // put: its [Edit] says why
)

// Reasons holds the texts of a stage's reasons.
type Reasons struct{ texts []string }

// Add returns a reason with a text.
func (r *Reasons) Add(text string) Reason {
	r.texts = append(r.texts, text)
	return Reason(len(r.texts))
}

func (r *Reasons) text(why Reason) string {
	if why == 0 {
		return ""
	}
	return r.texts[why-1]
}

// A Part is one stage of a chain, ready to run.
type Part struct {
	Stage
	Name    string // the stage in normal form, as entries name it
	Reasons Reasons
	// Problems returns what is wrong with a view; nil for nothing.
	Problems func(v *model.View) []model.Problem
	// Sizes is what the stage counts by; nil for the sizes of the replay.
	Sizes *Sizes
	// Stateful says that what the stage does at a call depends on earlier calls.
	Stateful bool
}

// An Inserter is a stage that adds messages.
type Inserter interface {
	// Slots returns the number of slots the stage needs before message i of t. Only
	// the last stage of a chain may need different numbers at different places.
	Slots(t *model.Thread, i int) int
	// UseSlots gives the stage the first of its slots, the same at every place.
	UseSlots(first int)
}

// OneSlot is the part of an [Inserter] that adds at most one message at each place.
type OneSlot struct{ First int }

// Slots returns 1.
func (*OneSlot) Slots(*model.Thread, int) int { return 1 }

// UseSlots keeps the slot.
func (s *OneSlot) UseSlots(first int) { s.First = first }

// A Pinner is a stage that protects messages from the stages after it.
type Pinner interface {
	// Pinned returns the messages that must stay as they are at this call.
	Pinned() *Layer
	// PinsSystem reports whether the leading system messages must stay.
	PinsSystem() bool
}

// A Sparer is a stage that must leave pinned messages out of what it makes.
type Sparer interface{ Spare(pins Pinner) }

// A SystemDropper is a stage that keeps the leading system messages unless
// DropSystem is called.
type SystemDropper interface{ DropSystem() }

// A Lazy stage need not do its work before the given call.
type Lazy interface{ StartAt(call int) }
