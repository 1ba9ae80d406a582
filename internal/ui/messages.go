package ui

// side is one of the two message panes.
type side int

const (
	history side = iota // the full history
	sent                // what the provider saw
)

// messages is the state both message panes share: what is shown, where the
// cursor is, what is folded.
type messages struct {
	list
	shown   *shown
	store   *store
	colours *colours
	th      *theme
	width   [2]int // inner width of each side, 0 where it is not on the screen
	rows    int    // inner height

	open    map[bodyKey]bool         // unfolded, or folded when allOpen
	allOpen bool                     // unfolded unless in open
	shut    map[bodyKey]map[int]bool // folded sections of rendered prompts
	version int                      // changes when shut does

	needle *needle // what is searched for, or nil
}

func newMessages(th *theme, st *store, c *colours) *messages {
	m := &messages{store: st, colours: c, th: th, open: map[bodyKey]bool{}, shut: map[bodyKey]map[int]bool{}}
	m.height, m.skip = m.heightOf, m.skipTo
	return m
}

// show takes over another view and stays at the same message.
func (m *messages) show(s *shown) {
	if m.shown == nil || m.shown.thread.ID != s.thread.ID {
		m.open, m.shut, m.allOpen = map[bodyKey]bool{}, map[bodyKey]map[int]bool{}, false
		m.shown, m.count = s, len(s.items)
		m.top, m.cursor = place{}, place{}
		m.goTo(m.natural(), m.rows)
		return
	}
	m.top, m.cursor = m.carry(m.top, s), m.carry(m.cursor, s)
	m.shown, m.count = s, len(s.items)
	m.clamp()
	m.reveal(m.rows)
}

// carry finds the place of p's message in another view.
func (m *messages) carry(p place, s *shown) place {
	if len(m.shown.items) == 0 || len(s.items) == 0 {
		return place{}
	}
	old := &m.shown.items[p.item]
	if old.kind == messageItem {
		return place{s.find(int(old.index)), p.line}
	}
	if s.thread.Len() == 0 {
		return place{min(p.item, len(s.items)-1), 0}
	}
	at := s.find(m.shown.message(p.item)) // of the message before
	for i := max(at, 0); i < len(s.items) && i <= at+8; i++ {
		if it := &s.items[i]; it.kind == old.kind && it.index == old.index {
			return place{i, 0}
		}
	}
	return place{at, 0}
}

// natural is the item a new view begins at: the last one the call was given.
func (m *messages) natural() int {
	if m.shown.horizon >= 0 {
		return max(m.shown.horizon-1, 0)
	}
	return 0
}

// toHorizon brings the end of what the call was given onto the screen.
func (m *messages) toHorizon() {
	if m.shown == nil || m.count == 0 {
		return
	}
	at := m.shown.horizon
	if at < 0 {
		at = m.count - 1
	}
	m.goTo(at, m.rows)
}

func (m *messages) only(s side) bool { return m.width[s] > 0 && m.width[1-s] == 0 }

// skipTo steps over items that have no line on the screen: where only the view
// is shown, what it dropped and what came later.
func (m *messages) skipTo(i, d int) int {
	if i < 0 || i >= m.count || !m.only(sent) {
		return i
	}
	it := &m.shown.items[i]
	switch {
	case it.gap >= 0 && d < 0:
		return m.shown.gaps[it.gap].first
	case it.gap >= 0 && i > m.shown.gaps[it.gap].first:
		return m.shown.gaps[it.gap].last + 1
	case it.later && d > 0:
		return m.count
	case it.later:
		return m.shown.horizon
	}
	return i
}

func (m *messages) heightOf(i int) int {
	it := &m.shown.items[i]
	if it.kind == markerItem || it.kind == horizonItem {
		if it.later && m.only(sent) {
			return 0
		}
		return 1
	}
	return max(m.linesOn(it, i, history), m.linesOn(it, i, sent))
}

// linesOn is the number of lines an item takes on one side.
func (m *messages) linesOn(it *item, i int, s side) int {
	if m.width[s] == 0 {
		return 0
	}
	if s == sent && it.gap >= 0 {
		if m.shown.gaps[it.gap].first == i {
			return 1
		}
		return 0
	}
	if !m.present(it, s) {
		return 0
	}
	if !m.isOpen(it) {
		return 1
	}
	return 1 + len(m.body(it, s))
}

// present reports whether an item has a message on a side.
func (m *messages) present(it *item, s side) bool {
	if s == history {
		return it.kind == messageItem
	}
	return it.kind == promptItem || it.kind == addedItem || it.kind == messageItem && !it.later && it.gap < 0
}

func (m *messages) isOpen(it *item) bool { return m.open[m.shown.key(it)] != m.allOpen }

// body is the laid out body of an item, empty until it is loaded.
func (m *messages) body(it *item, s side) []line {
	w, ok := m.shown.want(it, s == sent)
	if !ok {
		return nil
	}
	h := m.store.get(w.key)
	if h == nil || !h.whole {
		return nil
	}
	width := m.bodyWidth(s)
	if c := h.wrapped[width]; c != nil && c.version == m.version {
		return c.lines
	}
	c := &wrapped{lines: wrapBlocks(h.blocks, width, paneLines, m.shut[m.shown.key(it)]), version: m.version}
	m.store.keep(h, width, c)
	return c.lines
}

func (m *messages) bodyWidth(s side) int {
	w := m.width[s] - m.shown.digits
	if s == history {
		w -= gutter - 1
	}
	return w
}

// wants lists what the screen needs and does not have.
func (m *messages) wants() []want {
	if m.shown == nil || m.count == 0 {
		return nil
	}
	m.store.begin()
	var list []want
	p := m.move(m.top, -m.rows/2)
	for n := 0; n < 2*m.rows; n++ {
		it := &m.shown.items[p.item]
		for _, s := range [...]side{history, sent} {
			w, ok := m.shown.want(it, s == sent)
			if !ok || m.width[s] == 0 {
				continue
			}
			w.all = m.isOpen(it)
			if m.store.lacks(w) {
				list = append(list, w)
			}
		}
		next, ok := m.step(p, 1)
		if !ok {
			break
		}
		p = next
	}
	return list
}

// at returns the item under the cursor, or nil.
func (m *messages) at() *item {
	if m.shown == nil || m.cursor.item >= len(m.shown.items) {
		return nil
	}
	return &m.shown.items[m.cursor.item]
}

// cursorLine is the line of a body under the cursor on a side, or nil.
func (m *messages) cursorLine(s side) *line {
	it := m.at()
	if it == nil || m.cursor.line == 0 || !m.present(it, s) || !m.isOpen(it) {
		return nil
	}
	body := m.body(it, s)
	if m.cursor.line > len(body) {
		return nil
	}
	return &body[m.cursor.line-1]
}

// fold folds or unfolds what is under the cursor: a section of a rendered
// prompt, else the message. want is -1 to fold, 1 to unfold, 0 for the other of both.
func (m *messages) fold(s side, want int) {
	it := m.at()
	if it == nil || it.kind == markerItem || it.kind == horizonItem {
		return
	}
	if m.foldSection(it, s, want) {
		return
	}
	open := m.isOpen(it)
	if want == 0 || open != (want > 0) {
		m.setOpen(it, !open)
		m.cursor.line = 0
	}
	m.reveal(m.rows)
}

// foldSection folds the section the cursor is on the heading of.
func (m *messages) foldSection(it *item, s side, want int) bool {
	l := m.cursorLine(s)
	if l == nil {
		l = m.cursorLine(1 - s)
	}
	if l == nil || l.section == 0 {
		return false
	}
	key := m.shown.key(it)
	if m.shut[key] == nil {
		m.shut[key] = map[int]bool{}
	}
	isShut := m.shut[key][l.section]
	if want > 0 && !isShut || want < 0 && isShut {
		return false
	}
	m.shut[key][l.section] = !isShut
	m.version++
	return true
}

func (m *messages) setOpen(it *item, open bool) {
	if open == m.allOpen {
		delete(m.open, m.shown.key(it))
	} else {
		m.open[m.shown.key(it)] = true
	}
}

// foldAll folds or unfolds everything.
func (m *messages) foldAll(open bool) {
	clear(m.open)
	m.allOpen = open
	m.cursor.line = 0
	if m.shown != nil {
		m.reveal(m.rows)
	}
}

// atEnd reports whether the cursor stands on the last item, or the last one that
// shows.
func (m *messages) atEnd() bool {
	if m.shown == nil || m.count == 0 {
		return false
	}
	_, below := m.step(place{m.cursor.item, max(m.height(m.cursor.item)-1, 0)}, 1)
	return !below
}

// toEnd goes to the last line.
func (m *messages) toEnd() {
	m.cursor = m.clamped(place{m.count - 1, 1 << 30})
	m.reveal(m.rows)
}

// position is the message at the cursor, and the last there is.
func (m *messages) position() words {
	it := &m.shown.items[m.cursor.item]
	n := m.shown.message(m.cursor.item)
	if it.kind == messageItem {
		n = int(it.index)
	}
	if m.shown.thread.Len() == 0 {
		return ""
	}
	return "message " + figureWhole(max(n, 0)) + " · last " + figureWhole(m.shown.thread.Len()-1)
}
