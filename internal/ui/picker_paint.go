package ui

import (
	"slices"
	"strings"

	"agentlens/internal/export/catalog"
	"agentlens/internal/model"
	"agentlens/internal/ui/job"
	"agentlens/internal/ui/text"
)

// listTop is the line of the screen the list begins at: under the filter and the
// names of the columns.
const listTop = 3

// listRows is how many rows of the list there is room for.
func (p *Picker) listRows() int { return max(p.h-listTop-1-p.previewRows(), 1) }

// A column is a figure of a row; the widest screen shows all, a narrow one those
// that stand first.
type column struct {
	name  words
	cells int
	from  int // width of the screen from which on it is shown
	right bool
	value func(*catalog.Row) words
	order string // of pickOrders, "" for the order of the files; - for none
}

var columns = []column{
	{"when", 16, 60, false, func(r *catalog.Row) words { return stampOf(r.At()) }, ""},
	{"agent", 18, 80, false, func(r *catalog.Row) words { return words(r.Format) }, "-"},
	{"status", 15, 110, false, func(r *catalog.Row) words { return statusOf(r.Status) }, "-"},
	{"msgs", 6, 80, true, func(r *catalog.Row) words { return figure(int64(r.Messages)) }, "messages"},
	{"tokens", 6, 70, true, func(r *catalog.Row) words {
		if n, ok := r.Tokens(); ok {
			return figure(n)
		}
		return "–"
	}, "tokens"},
	{"cost", 8, 120, true, func(r *catalog.Row) words { return words(catalog.Cost(r.Usage)) }, "cost"},
	{"model", 24, 140, false, func(r *catalog.Row) words { return words(cutCells(modelsOf(r), 24)) }, "-"},
}

func stampOf(t model.Time) words {
	at, ok := t.At()
	if !ok {
		return "–"
	}
	return words(at.Local().Format("2006-01-02 15:04"))
}

// statusOf leaves out what the record does not tell.
func statusOf(s model.Status) words {
	if s == model.StatusUnknown {
		return ""
	}
	return words(s)
}

func cutCells(s string, cells int) string {
	if n, _ := text.Fit(s, cells); n < len(s) {
		n, _ = text.Fit(s, cells-1)
		return s[:n] + "…"
	}
	return s
}

// View paints the screen.
func (p *Picker) View() (screen string) {
	defer func() {
		if fault := recover(); fault != nil {
			p.crash = job.NewCrash(fault)
		}
	}()
	if p.w <= 0 || p.h <= 0 {
		return ""
	}
	p.settle()
	if p.help != nil {
		return p.helpView()
	}
	var b strings.Builder
	for y := range p.h {
		if y > 0 {
			b.WriteByte('\n')
		}
		l := &p.liner
		l.reset(p.th, p.w, noShade)
		switch at := p.top + y - listTop; {
		case y == p.h-1:
			p.footer(l)
		case y >= p.h-1-p.previewRows() && y > 2:
			p.previewLineAt(l, y-(p.h-1-p.previewRows()), p.previewRows())
		case y == 0:
			p.head(l)
		case y == 1:
			l.own(" > ", accent)
			p.filter.paint(l, plain)
		case y == 2:
			p.columnNames(l)
		case at < len(p.shown):
			p.row(l, &p.rows[p.shown[at]], at == p.cursor)
		case at < 2:
			p.nothing(l, at)
		}
		b.WriteString(l.String())
	}
	return b.String()
}

func (p *Picker) head(l *liner) {
	l.own(" lens ", accent)
	l.blank(1)
	l.own("runs of ", dim)
	l.safe(p.cfg.Gate.Line(p.cfg.Where), title)
	right := plural(len(p.shown), "run")
	if len(p.shown) != len(p.rows) {
		right += " of " + figure(int64(len(p.rows)))
	}
	if p.scanning {
		right += " · looking…"
	}
	l.to(text.Width(string(right)) + 1)
	l.own(right, dim)
}

func (p *Picker) columnNames(l *liner) {
	l.blank(2)
	for _, c := range columns {
		if p.w >= c.from {
			p.cell(l, c, c.name, faint)
		}
	}
	l.own("title", faint)
	if by := pickOrders[p.order]; by != "" {
		l.own(words("   by "+by), accent)
	}
}

// orderAt is the order that a click on the names of the columns asks for: a place in
// pickOrders, -1 for none.
func (p *Picker) orderAt(x int) int {
	at := 2
	for _, c := range columns {
		if p.w < c.from {
			continue
		}
		if x >= at && x < at+c.cells {
			return slices.Index(pickOrders[:], c.order)
		}
		at += c.cells + 2
	}
	if x >= at {
		return slices.Index(pickOrders[:], "title")
	}
	return -1
}

func (p *Picker) cell(l *liner, c column, w words, st style) {
	l.within(c.cells, func() {
		if c.right {
			l.blank(c.cells - text.Width(string(w)))
		}
		l.own(w, st)
	})
	l.blank(2)
}

func (p *Picker) row(l *liner, r *catalog.Row, here bool) {
	if here {
		l.on(cursorShade, plain)
		l.own("▎", accent)
	} else {
		l.blank(1)
	}
	l.blank(1)
	for _, c := range columns {
		if p.w >= c.from {
			p.cell(l, c, c.value(r), dim)
		}
	}
	for _, m := range []struct {
		n    int
		mark words
		st   style
	}{{r.Errors, "✗", failure}, {r.Pending, "…", changed}, {r.Compactions, "▼", marker}} {
		if m.n > 0 {
			l.own(m.mark+" ", m.st)
		}
	}
	title := r.Title.Line()
	if title.String() == "" {
		title = r.ID.Line()
	}
	l.safe(title, plain)
}

// nothing says, in line y of an empty list, why it is empty and what to do.
func (p *Picker) nothing(l *liner, y int) {
	if len(p.shown) > 0 {
		return
	}
	l.blank(2)
	switch none := len(p.rows) == 0 && p.scanErr == nil && !p.scanning; {
	case none && y == 1:
		l.own("lens demo shows a built-in one; lens show FILE opens any file", faint)
	case y == 1:
	case p.scanErr != nil:
		l.safe(p.cfg.Gate.Line(oneLine(p.scanErr.Error())), failure)
	case p.scanning:
		l.own("looking…", faint)
	case len(p.rows) > 0:
		l.own("no run fits; esc clears the filter", faint)
	default:
		l.own("no runs found here; lens doctor says where was looked", faint)
	}
}

func (p *Picker) footer(l *liner) {
	s := p.screen()
	switch {
	case p.note != "":
		l.own(" "+p.note, changed)
		return
	case p.help != nil:
		p.help.foot(l, s)
		return
	}
	list := s.hints()
	hints(l, slices.Insert(list, min(4, len(list)), hint{"type", "to filter"}))
	marks := words("✗ failed calls  … pending  ▼ compacted ")
	if w := text.Width(string(marks)); l.left > w+2 {
		l.to(w)
		l.own(marks, faint)
	}
}

// helpView paints the help over the list.
func (p *Picker) helpView() string {
	lines := p.help.render(p.th, newColours(p.th), p.w, p.h)
	p.liner.reset(p.th, p.w, noShade)
	p.footer(&p.liner)
	return strings.Join(append(lines, p.liner.String()), "\n")
}
