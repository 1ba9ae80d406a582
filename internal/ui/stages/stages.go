// Package stages edits a strategy chain as a list: stages are added, taken out,
// moved, switched off, and their parameters turned up and down.
//
// The list is always a chain that can be parsed: what would make it another is
// refused. It knows nothing of screens and runs.
package stages

import (
	"slices"
	"strings"

	"agentlens/internal/curate"
)

// A Stage is one strategy of the list.
type Stage struct {
	Call curate.Stage
	Off  bool // it stands in the list and does nothing
}

// maxUndo bounds what can be undone.
const maxUndo = 200

// A List is a chain being edited. Cursor is the stage, Param the parameter of it
// that keys act on.
type List struct {
	Stages        []Stage
	Cursor, Param int
	undo, redo    [][]Stage
}

// New makes a list of a chain.
func New(chain curate.Chain) *List {
	l := &List{}
	for _, c := range chain {
		l.Stages = append(l.Stages, Stage{Call: c})
	}
	return l
}

// Text is the chain of the stages that are on, in normal form; "" for an empty
// list, passthrough where all are off.
func (l *List) Text() string {
	var on []string
	for _, s := range l.Stages {
		if !s.Off {
			on = append(on, s.Call.String())
		}
	}
	if len(on) == 0 && len(l.Stages) > 0 {
		return "passthrough"
	}
	return strings.Join(on, " | ")
}

// At is the stage under the cursor, or nil.
func (l *List) At() *Stage {
	if l.Cursor < 0 || l.Cursor >= len(l.Stages) {
		return nil
	}
	return &l.Stages[l.Cursor]
}

// ParamAt is the parameter under the cursor, or nil.
func (l *List) ParamAt() *curate.Param {
	s := l.At()
	if s == nil || l.Param >= len(s.Call.Spec.Params) {
		return nil
	}
	return &s.Call.Spec.Params[l.Param]
}

// Move goes to another stage.
func (l *List) Move(d int) {
	l.Cursor = min(max(l.Cursor+d, 0), max(len(l.Stages)-1, 0))
	l.clampParam()
}

// MoveParam goes to another parameter of the stage.
func (l *List) MoveParam(d int) {
	l.Param += d
	l.clampParam()
}

func (l *List) clampParam() {
	n := 0
	if s := l.At(); s != nil {
		n = len(s.Call.Spec.Params)
	}
	l.Param = min(max(l.Param, 0), max(n-1, 0))
}

// change makes a change that can be undone; it is dropped where the stages, on and
// off alike, would be no chain.
func (l *List) change(stages []Stage) bool {
	if !isChain(stages) {
		return false
	}
	l.undo = append(l.undo, l.Stages)
	if len(l.undo) > maxUndo {
		l.undo = slices.Delete(l.undo, 0, 1)
	}
	l.redo = nil
	l.Stages = stages
	l.Move(0)
	return true
}

func isChain(stages []Stage) bool {
	if len(stages) == 0 {
		return true
	}
	all := make([]string, len(stages))
	for i := range stages {
		all[i] = stages[i].Call.String()
	}
	_, err := curate.Parse(strings.Join(all, " | "))
	return err == nil
}

// Add puts a strategy with its defaults after the cursor; one that must come first
// goes there. It reports whether there is room and place for it.
func (l *List) Add(name string) bool {
	specs := curate.Specs()
	i := slices.IndexFunc(specs, func(s curate.Spec) bool { return s.Name == name })
	if i < 0 {
		return false
	}
	spec := &specs[i]
	call := curate.Stage{Spec: spec}
	for j := range spec.Params {
		if p := &spec.Params[j]; p.Required {
			var err error
			if call, err = call.With(p.Name, start(p)); err != nil {
				return false
			}
		}
	}
	at := min(l.Cursor+1, len(l.Stages))
	if spec.First || len(l.Stages) == 0 {
		at = 0
	}
	if !l.change(slices.Insert(slices.Clone(l.Stages), at, Stage{Call: call})) {
		return false
	}
	l.Cursor, l.Param = at, 0
	return true
}

// start is what a parameter without a default begins with.
func start(p *curate.Param) curate.Value {
	v := curate.Value{Kind: p.Kind, Unit: p.Unit}
	switch p.Kind {
	case curate.KindAmount:
		v.Number = 10
		if p.Unit == curate.Tok {
			v.Number = 50_000
		}
	case curate.KindWord:
		if len(p.Words) > 0 {
			v.Word = p.Words[0]
		}
	}
	return v
}

// Set takes another chain, as of a preset.
func (l *List) Set(chain curate.Chain) bool {
	next := New(chain)
	if !l.change(next.Stages) {
		return false
	}
	l.Cursor, l.Param = 0, 0
	return true
}

// Remove takes the stage under the cursor out.
func (l *List) Remove() bool {
	return l.At() != nil && l.change(slices.Delete(slices.Clone(l.Stages), l.Cursor, l.Cursor+1))
}

// Shift moves the stage under the cursor by d places.
func (l *List) Shift(d int) bool {
	to := l.Cursor + d
	if l.At() == nil || to < 0 || to >= len(l.Stages) {
		return false
	}
	next := slices.Clone(l.Stages)
	next[l.Cursor], next[to] = next[to], next[l.Cursor]
	if !l.change(next) {
		return false
	}
	l.Move(d)
	return true
}

// Toggle switches the stage under the cursor off or on.
func (l *List) Toggle() bool {
	if l.At() == nil {
		return false
	}
	next := slices.Clone(l.Stages)
	next[l.Cursor].Off = !next[l.Cursor].Off
	return l.change(next)
}

// Undo takes the last change back.
func (l *List) Undo() bool { return l.swap(&l.undo, &l.redo) }

// Redo makes a change again that was taken back.
func (l *List) Redo() bool { return l.swap(&l.redo, &l.undo) }

func (l *List) swap(from, to *[][]Stage) bool {
	n := len(*from)
	if n == 0 {
		return false
	}
	*to = append(*to, l.Stages)
	l.Stages = (*from)[n-1]
	*from = (*from)[:n-1]
	l.Move(0)
	return true
}
