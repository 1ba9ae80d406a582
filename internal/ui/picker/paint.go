package picker

import (
	"slices"
	"strings"

	"agentlens/internal/library/catalog"
	"agentlens/internal/model"
	"agentlens/internal/safe"
	"agentlens/internal/ui/job"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/text"
)

// listTop is the first line of the list, below the filter and the column names.
const listTop = 3

// listRows returns the number of rows on the screen.
func (p *Picker) listRows() int { return max(p.h-listTop-1-p.previewRows(), 1) }

// A gated function passes text through the gate and returns it as words: see [kit.Gated].
type gated = func(s string) kit.Words

// A column shows one value of a row. Narrow screens show fewer columns.
type column struct {
	name  kit.Words
	cells int
	from  int // least width of a screen that shows the column
	right bool
	value func(gated, *catalog.Row) kit.Words
	order string // in pickOrders; "" is the order of the files, "-" means not sortable
}

var columns = []column{
	{"when", 16, 60, false, func(gate gated, r *catalog.Row) kit.Words { return stampOf(r.At()) }, ""},
	{"agent", 18, 80, false, func(gate gated, r *catalog.Row) kit.Words { return gate(r.Format) }, "-"},
	{"status", 15, 120, false, func(gate gated, r *catalog.Row) kit.Words { return statusOf(gate, r.Status) }, "-"},
	{"msgs", 6, 80, true, func(gate gated, r *catalog.Row) kit.Words { return kit.Figure(int64(r.Messages)) }, "messages"},
	{"tokens", 6, 70, true, func(gate gated, r *catalog.Row) kit.Words {
		if n, ok := r.Tokens(); ok {
			return kit.Figure(n)
		}
		return "–"
	}, "tokens"},
	{"cost", 9, 100, true, func(gate gated, r *catalog.Row) kit.Words { return gate(r.Cost.String()) }, "cost"},
	{"model", 24, 140, false, func(gate gated, r *catalog.Row) kit.Words { return gate(cutCells(modelsOf(r), 24)) }, "-"},
}

func stampOf(t model.Time) kit.Words {
	at, ok := t.At()
	if !ok {
		return "–"
	}
	at = at.Local()
	return safe.Format("%d-%02d-%02d %02d:%02d", at.Year(), int(at.Month()), at.Day(), at.Hour(), at.Minute())
}

// statusOf returns "" for an unknown status.
func statusOf(gate gated, s model.Status) kit.Words {
	if s == model.StatusUnknown {
		return ""
	}
	return gate(string(s))
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
		l := &p.writer
		l.Reset(p.th, p.w, kit.NoShade)
		switch at := p.top + y - listTop; {
		case y == p.h-1:
			p.footer(l)
		case y >= p.h-1-p.previewRows() && y > 2:
			p.previewLineAt(l, y-(p.h-1-p.previewRows()), p.previewRows())
		case y == 0:
			p.head(l)
		case y == 1:
			l.Words(" > ", kit.Accent)
			p.filter.Paint(l, kit.Plain)
		case y == 2:
			p.columnNames(l)
		case at < len(p.shown):
			p.paintRow(l, &p.rows[p.shown[at]], at == p.cursor)
		case at < 2:
			p.nothing(l, at)
		}
		b.WriteString(l.String())
	}
	return b.String()
}

func (p *Picker) head(l *kit.LineWriter) {
	l.Words(" lens ", kit.Accent)
	l.Blank(1)
	l.Words("runs of ", kit.Dim)
	l.Safe(p.cfg.Gate.Line(p.cfg.Where), kit.Title)
	right := kit.Plural(len(p.shown), "run")
	if len(p.shown) != len(p.rows) {
		right += " of " + kit.Figure(int64(len(p.rows)))
	}
	if p.scanning {
		right += " · looking…"
	}
	l.To(text.Width(string(right)) + 1)
	l.Words(right, kit.Dim)
}

// gated passes text that may quote a record through the gate.
func (p *Picker) gated(s string) kit.Words { return p.cfg.Gate.Words(kit.OneLine(s)) }

func (p *Picker) columnNames(l *kit.LineWriter) {
	l.Blank(2)
	for _, c := range columns {
		if p.w >= c.from {
			p.paintCell(l, c, c.name, kit.Faint)
		}
	}
	l.Words("title", kit.Faint)
	if by := pickOrders[p.order]; by != "" {
		l.Words("   by "+p.gated(by), kit.Accent)
	}
}

// orderAt returns the sort order of the column name at x: an index in pickOrders, or -1.
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

// paintCell paints one value of a row.
func (p *Picker) paintCell(l *kit.LineWriter, c column, w kit.Words, st kit.Style) {
	l.Within(c.cells, func() {
		if c.right {
			l.Blank(c.cells - text.Width(string(w)))
		}
		l.Words(w, st)
	})
	l.Blank(2)
}

// paintRow paints one row.
func (p *Picker) paintRow(l *kit.LineWriter, r *catalog.Row, here bool) {
	if here {
		l.On(kit.CursorShade, kit.Plain)
		l.Words("▎", kit.Accent)
	} else {
		l.Blank(1)
	}
	l.Blank(1)
	for _, c := range columns {
		if p.w >= c.from {
			p.paintCell(l, c, c.value(p.gated, r), kit.Dim)
		}
	}
	for _, m := range []struct {
		n    int
		mark kit.Words
		st   kit.Style
	}{{r.Errors, "✗", kit.Failure}, {r.Pending, "…", kit.Changed}, {r.Compactions, "▼", kit.Marker}} {
		if m.n > 0 {
			l.Words(m.mark+" ", m.st)
		}
	}
	title := r.Title.Line()
	if title.String() == "" {
		title = r.ID.Line()
	}
	l.Safe(title, kit.Plain)
}

// nothing paints line y of an empty list: why it is empty, and what to do.
func (p *Picker) nothing(l *kit.LineWriter, y int) {
	if len(p.shown) > 0 {
		return
	}
	l.Blank(2)
	switch none := len(p.rows) == 0 && p.scanErr == nil && !p.scanning; {
	case none && y == 1:
		l.Words("lens demo shows a built-in one; lens show FILE opens any file", kit.Faint)
	case y == 1:
	case p.scanErr != nil:
		l.Safe(p.cfg.Gate.Line(kit.OneLine(p.scanErr.Error())), kit.Failure)
	case p.scanning:
		l.Words("looking…", kit.Faint)
	case len(p.rows) > 0:
		l.Words("no run fits; esc clears the filter", kit.Faint)
	default:
		l.Words("no runs found here; lens doctor says where was looked", kit.Faint)
	}
}

func (p *Picker) footer(l *kit.LineWriter) {
	s := p.screen()
	switch {
	case p.note != "":
		l.Words(" "+p.note, kit.Changed)
		return
	case p.help != nil:
		p.help.Foot(l, s)
		return
	}
	list := s.Hints()
	kit.Hints(l, slices.Insert(list, min(4, len(list)), kit.Hint{Key: "type", Does: "to filter"}))
	marks := kit.Words("✗ failed calls  … pending  ▼ compacted ")
	if w := text.Width(string(marks)); l.Left > w+2 {
		l.To(w)
		l.Words(marks, kit.Faint)
	}
}

// helpView paints the help over the list.
func (p *Picker) helpView() string {
	lines := p.help.Draw(p.th, kit.NewColours(p.th), p.w, p.h)
	p.writer.Reset(p.th, p.w, kit.NoShade)
	p.footer(&p.writer)
	return strings.Join(append(lines, p.writer.String()), "\n")
}
