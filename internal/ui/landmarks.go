package ui

import "agentlens/internal/model"

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

// seek is the nearest row of the kind from row i on, in direction d; -1 for none.
func (k *landmark) seek(m *messages, i, d int) int {
	for ; i >= 0 && i < m.count; i += d {
		if k.is(m, i) && m.height(i) > 0 {
			return i
		}
	}
	return -1
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
