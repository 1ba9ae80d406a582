package findings

import (
	"slices"

	"agentlens/internal/ui/headline"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/text"
	"agentlens/internal/ui/view"
)

// A Line is a line of the docked findings.
type Line struct {
	Nth      int // number of the finding, from 0, or -1
	x        *view.Finding
	place    kit.Words
	first    bool
	from, to int
	columns  columns
	note     kit.Words
	style    kit.Style
}

// mostDocked is the number of lines of the longest docked finding. From a width of oneLineFrom cells on, it is
// 1.
const (
	mostDocked  = 2
	oneLineFrom = 90
)

// Dock lays out the findings on a pane of width cells and rows lines, heaviest first. If not all of them fit,
// the heaviest of each kind take precedence, so that many findings of one kind do not hide another kind.
func Dock(s State, width, rows int) (lines []Line) {
	switch {
	case s.Failed.String() != "":
		return []Line{{Nth: -1, note: auditFailed, style: kit.Failure}}
	case s.Found == nil || len(s.Found.List) == 0:
		if s.Progress != "" {
			return nil
		}
		return []Line{{Nth: -1, note: noFindings, style: kit.Dim}}
	}
	list, each := s.Found.List, mostDocked
	if width >= oneLineFrom {
		each = 1
	}
	cols := columnsOf(list, width)
	all := make([][]text.Span, len(list))
	for i := range list {
		all[i] = wrap(list[i].Brief.String(), width-cols.width(), cols.placeOf(list[i].PlaceFrom(s.Thread)), each)
	}
	shown, more := fitting(list, all, rows)
	for _, i := range shown {
		for n, sp := range all[i] {
			lines = append(lines, Line{Nth: i, x: &list[i], place: list[i].PlaceFrom(s.Thread), first: n == 0, from: sp.From, to: sp.To, columns: cols})
		}
	}
	if more > 0 {
		lines = append(lines, Line{Nth: -1, note: "0: " + kit.Plural(more, moreFinding), style: kit.Faint})
	}
	return lines
}

// fitting returns the numbers of the findings whose lines fit into rows, which leaves a line for the others,
// and the number of the others.
func fitting(list []view.Finding, lines [][]text.Span, rows int) (shown []int, more int) {
	for n := min(len(list), rows); n > 0; n-- {
		shown, more = heaviest(list, n), len(list)-n
		sum := min(more, 1)
		for _, i := range shown {
			sum += len(lines[i])
		}
		if sum <= rows || n == 1 {
			break
		}
	}
	return shown, more
}

// wrap breaks a text into up to most lines of room cells; the first one leaves place cells free. The last line
// holds the rest, which is cut when it is painted.
func wrap(s string, room, place, most int) []text.Span {
	lines, rest := text.Wrap(nil, s, max(room-place, 8), 1)
	if most > 1 && rest < len(s) {
		more, _ := text.Wrap(nil, s[rest:], max(room, 8), most-1)
		for _, sp := range more {
			lines = append(lines, text.Span{From: rest + sp.From, To: rest + sp.To})
		}
	}
	if n := len(lines); n == most {
		lines[n-1].To = len(s)
	}
	return lines
}

// heaviest returns the numbers of up to most findings of a ranked list, ascending: the first of each kind,
// then the others by rank.
func heaviest(list []view.Finding, most int) (shown []int) {
	kinds := map[string]bool{}
	for _, again := range [...]bool{false, true} {
		for i := range list {
			if len(shown) == most {
				break
			}
			if kinds[list[i].Kind] && !again || slices.Contains(shown, i) {
				continue
			}
			kinds[list[i].Kind] = true
			shown = append(shown, i)
		}
	}
	slices.Sort(shown)
	return shown
}

// Paint paints a line. here marks the finding that the key n went to last.
func (d *Line) Paint(l *kit.LineWriter, here bool) {
	if here {
		l.Words("▎", kit.Accent)
	} else {
		l.Blank(1)
	}
	switch {
	case d.x == nil:
		l.Words(d.note, d.style)
		return
	case d.first:
		d.columns.head(l, d.x)
	default:
		l.Blank(d.columns.money + 4)
	}
	if !d.first {
		l.Span(d.x.Brief, d.from, d.to, kit.Plain)
		return
	}
	place := d.columns.placeOf(d.place)
	l.Within(l.Left-place, func() { l.Span(d.x.Brief, d.from, d.to, kit.Plain) })
	if place > 0 {
		l.To(place - placeGap)
		l.Words(d.place, kit.Faint)
	}
}

// Title paints the title of the docked findings: their number, or the progress of the audit.
func (s State) Title(l *kit.LineWriter) {
	l.Words("findings", kit.Title)
	if s.Progress != "" {
		headline.TitleFacts(l, s.Progress)
		return
	}
	if s.Found != nil && len(s.Found.List) > 0 {
		headline.TitleFacts(l, kit.Int(len(s.Found.List)), nNext, "0 list")
	}
}
