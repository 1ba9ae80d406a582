package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/model"
)

// A landmark is a kind of row a person goes from one to the next of.
type landmark struct {
	name words // "error": its actions are next-error and prev-error
	keys [2]string
	help words
	all  words // of which there are so many, or none
	is   func(m *messages, i int) bool
}

func landmarks() []landmark {
	return []landmark{
		{name: "error", keys: [2]string{"x", "X"}, help: "failed tool call or recorded error", all: "failed calls and errors", is: onMessage(isError, model.ErrorMarker)},
		{name: "pending", keys: [2]string{"p", "P"}, help: "call without a result", all: "pending calls", is: onMessage(func(m *model.Message) bool { return m.Badges.Has(model.Pending) }, "")},
		{name: "marker", keys: [2]string{">", "<"}, help: "compaction or other marker of the record", all: "markers", is: func(m *messages, i int) bool { return m.shown.items[i].kind == markerItem }},
		{name: "injected", keys: [2]string{"a", "A"}, help: "message the harness put there", all: "injected messages", is: onMessage(func(m *model.Message) bool { return m.Badges.Has(model.Injected) }, "")},
		{name: "turn", keys: [2]string{"u", "U"}, help: "turn: what a person said", all: "turns", is: onMessage(isTurn, "")},
		{name: "change", keys: [2]string{".", ","}, help: "message that the view changed, dropped or added", all: "changes", is: isChange},
	}
}

func landmarkNamed(name string) *landmark {
	list := landmarks()
	for i := range list {
		if string(list[i].name) == name {
			return &list[i]
		}
	}
	return nil
}

func isError(m *model.Message) bool {
	if m.IsError || m.Badges.Has(model.ErrorBadge) {
		return true
	}
	for i := range m.Calls { // where there is no result to carry the mark
		if m.Calls[i].Failed && !m.Calls[i].Result.Known() {
			return true
		}
	}
	return false
}

// isTurn reports whether a message begins a turn: a person spoke, not the harness.
func isTurn(m *model.Message) bool { return m.Role == model.User && !m.Badges.Has(model.Injected) }

// onMessage is a landmark of messages, and of markers of one kind, "" for none.
func onMessage(is func(*model.Message) bool, kind model.MarkerKind) func(*messages, int) bool {
	return func(m *messages, i int) bool {
		switch it := &m.shown.items[i]; it.kind {
		case messageItem:
			return is(m.shown.thread.At(int(it.index)))
		case markerItem:
			return kind != "" && m.shown.thread.Markers[it.index].Kind == kind
		}
		return false
	}
}

// isChange reports whether a row begins a difference between the two sides; a gap
// counts once.
func isChange(m *messages, i int) bool {
	it := &m.shown.items[i]
	if it.gap >= 0 {
		return m.shown.gaps[it.gap].first == i
	}
	e := m.shown.entry(it)
	return e != nil && e.Fate != model.Kept
}

// toLandmark goes to the next row of a kind in direction d, past the last one to the
// first, and says which of all it is.
func (r *root) toLandmark(k *landmark, d int) {
	m := r.msgs
	here, round := m.cursor.item, words("")
	i := k.seek(m, here+d, d)
	if i < 0 {
		round = ", from the top again"
		if i = k.seek(m, 0, 1); d < 0 {
			round = ", from the end again"
			i = k.seek(m, m.count-1, -1)
		}
	}
	if i == here {
		round = ", there is no other"
	}
	r.atLandmark(k, i, round)
}

// toFirst goes to the first row of a kind in the whole thread.
func (r *root) toFirst(k *landmark) { r.atLandmark(k, k.seek(r.msgs, 0, 1), "") }

// atLandmark goes to row i, -1 for none, and says which of its kind it is.
func (r *root) atLandmark(k *landmark, i int, round words) {
	if i < 0 {
		r.note = "there are no " + k.all + " in this thread"
		if k.name == "error" {
			r.note += r.failedElsewhere()
		}
		return
	}
	r.msgs.goTo(i, r.msgs.rows)
	nth, all := k.count(r.msgs, i)
	r.note = k.name + " " + figureWhole(nth) + " of " + figureWhole(all) + round
}

// seek is the nearest row of the kind from row i on, in direction d; -1 for none.
func (k *landmark) seek(m *messages, i, d int) int {
	for ; i >= 0 && i < m.count; i += d {
		if k.is(m, i) && m.height(i) > 0 {
			return i
		}
	}
	return -1
}

// failedElsewhere names the other threads in which calls failed.
func (r *root) failedElsewhere() (says words) {
	for i, t := range r.scene.run.Threads {
		if t == r.threadNow() {
			continue
		}
		if _, calls := t.Failed(); calls > 0 {
			label := r.scene.threads[i]
			says += "; " + figureWhole(calls) + " in " + words(label.kind.String()+" "+label.name.String())
		}
	}
	return says
}

// count says which of all rows of a kind row i is, counted from 1, and how many there
// are.
func (k *landmark) count(m *messages, i int) (nth, all int) {
	for at := range m.count {
		if !k.is(m, at) {
			continue
		}
		if all++; at <= i {
			nth = all
		}
	}
	return nth, all
}

// toMessage goes to message n of the thread.
func (r *root) toMessage(n int) {
	if r.focus == threadsPane {
		r.toPane(historyPane)
	}
	r.msgs.goTo(r.msgs.shown.find(n), r.msgs.rows)
}

// toResult goes from a call to its result, and from a result to its call. From a
// message with several calls it goes to the results one by one.
func (r *root) toResult() {
	it := r.msgs.at()
	if it == nil || it.index < 0 || it.kind == markerItem {
		r.note = "this is no message of the thread"
		return
	}
	t := r.msgs.shown.thread
	m := t.At(int(it.index))
	if len(m.Calls) == 0 {
		if m.Group < 0 || m.Group == it.index {
			r.note = "this message makes no call and answers none"
			return
		}
		r.answered = it.index
		r.toMessage(int(m.Group))
		return
	}
	nth := 0
	for i := range m.Calls {
		if r.answered >= 0 && m.Calls[i].Result.Is(int(r.answered)) {
			nth = (i + 1) % len(m.Calls)
		}
	}
	for i := range m.Calls {
		if result, ok := m.Calls[(nth+i)%len(m.Calls)].Result.Get(); ok {
			r.toMessage(result)
			return
		}
	}
	r.note = "its calls have no result in this thread"
}

// A spot is a place a person was at: good across calls, threads and strategies.
type spot struct {
	thread, call, message int
}

// trail is where a person was, to go back and forth as in a browser.
type trail struct {
	spots []spot
	at    int // the next spot to go forward to
}

// trailLength bounds a trail.
const trailLength = 100

// leave remembers a spot that is about to be left.
func (t *trail) leave(s spot) {
	t.spots = t.spots[:min(t.at, len(t.spots))]
	if n := len(t.spots); n > 0 && t.spots[n-1] == s {
		return
	}
	if len(t.spots) == trailLength {
		t.spots = append(t.spots[:0], t.spots[1:]...)
	}
	t.spots = append(t.spots, s)
	t.at = len(t.spots)
}

// step goes back (-1) or forth (1) from here; ok is false at the ends.
func (t *trail) step(d int, here spot) (s spot, ok bool) {
	for {
		if d < 0 && t.at == len(t.spots) && len(t.spots) > 0 && t.spots[t.at-1] != here {
			t.leave(here) // to come back to
			t.at--
		}
		to := t.at + d
		if to < 0 || to >= len(t.spots) {
			return spot{}, false
		}
		t.at = to
		if t.spots[to] != here {
			return t.spots[to], true
		}
	}
}

// spotNow is where the person is.
func (r *root) spotNow() spot {
	if r.msgs.shown == nil || r.msgs.count == 0 {
		return spot{r.thread, r.call, -1}
	}
	return spot{r.thread, r.call, r.here()}
}

// leaveSpot remembers where the person is before a jump.
func (r *root) leaveSpot() { r.trail.leave(r.spotNow()) }

// walk goes back or forth on the trail.
func (r *root) walk(d int) tea.Cmd {
	s, ok := r.trail.step(d, r.spotNow())
	if !ok {
		r.note = "there is nothing to go back to"
		if d > 0 {
			r.note = "there is nothing to go forward to"
		}
		return nil
	}
	return r.toSpot(s)
}

// toSpot goes to a spot, on whatever thread and call it is.
func (r *root) toSpot(s spot) tea.Cmd {
	if s.thread >= len(r.scene.run.Threads) {
		r.note = "that thread is not in the run any more"
		return nil
	}
	if s.thread == r.thread && s.call == r.call {
		if s.message >= 0 {
			r.toMessage(s.message)
		}
		return nil
	}
	if s.thread != r.thread {
		r.clearSearch()
	}
	r.thread, r.call, r.chosen = s.thread, s.call, true
	r.goal = s.message
	return tea.Batch(r.refresh(), r.measureNow())
}
