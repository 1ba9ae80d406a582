package ui

// uncoloured lists what the screen needs to be coloured: what is on it, and when
// that is done, one screen before and one after.
func (m *messages) uncoloured(c *colours) []colouring {
	var list []colouring
	add := func(b *line) { list = c.lacking(list, b) }
	m.eachLine(m.top, m.rows, add)
	if len(list) == 0 {
		m.eachLine(m.move(m.top, m.rows), m.rows, add)
		m.eachLine(m.move(m.top, -m.rows), m.rows, add)
	}
	return list
}

// eachLine calls f for the lines of unfolded messages among n from p on that are
// not dimmed.
func (m *messages) eachLine(p place, n int, f func(*line)) {
	var bodies [2][]line
	of := -1
	for ; n > 0; n-- {
		it := &m.shown.items[p.item]
		if p.item != of {
			of, bodies = p.item, [2][]line{}
			for s := range bodies {
				if s := side(s); m.width[s] > 0 && m.present(it, s) && m.isOpen(it) && !away(it, s) {
					bodies[s] = m.body(it, s)
				}
			}
		}
		for _, body := range bodies {
			if p.line > 0 && p.line <= len(body) {
				f(&body[p.line-1])
			}
		}
		next, ok := m.step(p, 1)
		if !ok {
			return
		}
		p = next
	}
}
