package ui

import (
	"cmp"
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/curate"
	"agentlens/internal/model"
	"agentlens/internal/ui/text"
	"agentlens/internal/ui/timeline"
)

// Sizes of the timeline, in lines: a title, the bars, the marks, what those mean.
const (
	stripBars   = 4
	stripHeight = stripBars + 3
	stripFrom   = 44 // height of the screen from which on it is shown by itself
)

// strip is the timeline under the panes: the context of every call.
type strip struct {
	show  int // -1 hidden, 1 shown, 0 where there is room
	scrub bool
	of    *curate.Replayed // what data was made of
	data  *timeline.Data
	chart *timeline.Chart
	width int

	painted   [stripHeight]string
	paintedAs stripState
}

// stripState is all that the painted timeline depends on.
type stripState struct {
	chart  *timeline.Chart
	thread *model.Thread
	call   int
	width  int
	scrub  bool
	exact  bool
}

// stripPainted gives a line of the timeline, painted when anything in it changed.
func (r *root) stripPainted(y int) string {
	s := &r.strip
	as := stripState{r.laid(), r.threadNow(), r.call, r.w, s.scrub, r.msgs.shown != nil && r.msgs.shown.exact}
	if s.paintedAs != as || s.painted[0] == "" {
		s.paintedAs = as
		l := r.linerAt(0)
		for i := range s.painted {
			l.reset(r.th, r.w, noShade)
			r.stripLine(l, i)
			s.painted[i] = l.String()
		}
	}
	return s.painted[y]
}

// kindInjected is the kind of what the harness put into the conversation; the others
// are the roles.
const kindInjected = timeline.Kinds - 1

var kindNames = [timeline.Kinds]words{"system", "user", "assistant", "tool", "injected"}

var kindStyles = [timeline.Kinds]style{roleSystem, roleUser, roleAssistant, roleTool, injected}

// kindLetters stand for the kinds on a screen without colours.
var kindLetters = [timeline.Kinds]words{"s", "u", "a", "t", "i"}

var eighths = [9]words{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}

// stripMarks are the marks under the bars, the most telling first.
var stripMarks = [...]struct {
	mark timeline.Mark
	sign words
	name words
	st   style
}{
	{timeline.Cut, "▼", "compaction", marker},
	{timeline.Failed, "✗", "error", failure},
	{timeline.Broke, "!", "prefix broke", changed},
	{timeline.Unknown, "?", "not recorded", faint},
}

func (r *root) stripWants() int {
	if r.strip.show > 0 || r.strip.show == 0 && r.h >= stripFrom {
		return stripHeight
	}
	return 0
}

// stripMsg is the timeline of a replay.
type stripMsg struct {
	of   *curate.Replayed
	data *timeline.Data
}

// stripNow makes the timeline of the view that is shown, where it is on the screen
// and not made yet.
func (r *root) stripNow() tea.Cmd {
	s := r.msgs.shown
	if r.lay.strip == 0 || s == nil || r.replays == nil {
		return nil
	}
	of := r.replays.chained
	if r.chain.wanted() == "" || of == nil {
		of = r.replays.recorded
	}
	if of == r.strip.of {
		return nil
	}
	r.strip.of = of
	t := s.thread
	ctx := r.ctx
	return safely(func() tea.Msg { return stripMsg{of, stripData(ctx, of, t)} })
}

func (r *root) takeStrip(msg stripMsg) {
	if msg.of == r.strip.of {
		r.strip.data, r.strip.chart = msg.data, nil
	}
}

// stripData reads the sizes of all calls off a replay, and what happened at them.
func stripData(ctx context.Context, of *curate.Replayed, t *model.Thread) *timeline.Data {
	d := &timeline.Data{Marks: make([]timeline.Mark, of.Calls()+1)}
	rows := of.Series(timeline.Kinds, func(i int32, role model.Role) int {
		if i >= 0 && t.At(int(i)).Badges.Has(model.Injected) {
			return kindInjected
		}
		return int(role)
	})
	copy(d.Tokens[:], rows)
	for i := range d.Marks {
		if of.Broke(i + 1) {
			d.Marks[i] |= timeline.Broke
		}
		if !of.Has(i + 1) {
			d.Marks[i] |= timeline.Unknown
		}
	}
	for i := range t.Markers {
		k := &t.Markers[i]
		switch k.Kind {
		case model.Compaction, model.Microcompaction, model.ContextEdit, model.HistoryCurated, model.StepSummarised:
			d.Marks[t.CallAfter(k.After)-1] |= timeline.Cut
		case model.ErrorMarker:
			d.Marks[t.CallAfter(k.After)-1] |= timeline.Failed
		}
	}
	for i := range t.Len() {
		if i&4095 == 0 && ctx.Err() != nil {
			break
		}
		if isError(t.At(i)) {
			d.Marks[t.CallAfter(i)-1] |= timeline.Failed
		}
	}
	return d
}

// laid is the chart for the width of the screen, or nil.
func (r *root) laid() *timeline.Chart {
	s := &r.strip
	if s.data == nil {
		return nil
	}
	if width := r.w - 2; s.chart == nil || s.width != width {
		s.chart, s.width = timeline.Lay(s.data, width), width
	}
	return s.chart
}

// stripLine paints line y of the timeline.
func (r *root) stripLine(l *liner, y int) {
	c := r.laid()
	switch {
	case y == 0:
		r.stripTitle(l, c)
	case c == nil:
	case y == stripHeight-1:
		stripLegend(l, c)
	case y == stripHeight-2:
		r.stripSigns(l, c)
	default:
		r.stripBar(l, c, stripBars-y)
	}
}

// shortTitleBelow is the width of the screen below which the timeline says less.
const shortTitleBelow = 100

// stripTitle paints the line above the bars: what they are of, most of all first.
func (r *root) stripTitle(l *liner, c *timeline.Chart) {
	says := words("timeline · sent at each call")
	switch at := callName(r.threadNow(), r.call); {
	case r.strip.scrub && r.w < shortTitleBelow:
		says = "timeline · " + at
	case r.strip.scrub:
		says = "timeline · sent at " + at
	case r.w < shortTitleBelow:
		says = "timeline"
	}
	if r.strip.scrub {
		l.shade = weakShade
		l.sgr(plain)
		l.own("▎"+says, accent)
	} else {
		l.own(" "+says, title)
	}
	if c == nil {
		return
	}
	exact := r.msgs.shown != nil && r.msgs.shown.exact
	most := "largest " + about(c.Max, exact) + " at " + callName(r.threadNow(), c.MaxCall)
	if r.w < twoPanesFrom {
		most = "largest " + about(c.Max, exact) + " at " + figureWhole(c.MaxCall)
	}
	l.blank(2)
	l.within(l.left-text.Width(string(most))-3, func() { r.stripKinds(l, exact) })
	l.to(text.Width(string(most)) + 1)
	l.own(most, dim)
	l.to(0)
}

// stripKinds names the kinds of messages that the call was sent, the one that takes most
// first, as far as there is room.
func (r *root) stripKinds(l *liner, exact bool) {
	sizes := func(k int) int64 { return r.strip.data.Tokens[k][r.stripCall()-1] }
	kinds := make([]int, 0, timeline.Kinds)
	for k := range timeline.Kinds {
		if sizes(k) > 0 {
			kinds = append(kinds, k)
		}
	}
	slices.SortStableFunc(kinds, func(a, b int) int { return cmp.Compare(sizes(b), sizes(a)) })
	for _, k := range kinds {
		name := kindNames[k]
		if r.strip.scrub {
			name += " " + about(sizes(k), exact)
		}
		if text.Width(string(name))+4 > l.left {
			return
		}
		if r.th.coloured {
			l.own("█", kindStyles[k])
		} else {
			l.own(kindLetters[k], plain)
		}
		l.own(" "+name+"  ", dim)
	}
}

// stripCall is the call that is shown; while another thread is on its way, one that the
// timeline has.
func (r *root) stripCall() int { return min(r.call, r.strip.data.Calls()) }

// callName is what a call is called on the screen.
func callName(t *model.Thread, call int) words {
	if t != nil && call > len(t.Calls) {
		return "next"
	}
	return "call " + figureWhole(call)
}

// stripBar paints one row of the bars, row 0 the lowest.
func (r *root) stripBar(l *liner, c *timeline.Chart, row int) {
	l.blank(1)
	here := c.At(r.call)
	for i := range c.Columns {
		kind, n := c.Cell(i, row, stripBars)
		l.shade = noShade
		if i == here {
			l.shade = cursorShade
		}
		if i == here || i == here+1 {
			l.sgr(plain)
		}
		for range c.Wide {
			switch {
			case kind < 0:
				l.blank(1)
			case r.th.coloured:
				l.own(eighths[n], kindStyles[kind])
			case n > 3:
				l.own(kindLetters[kind], plain)
			default:
				l.own(".", plain)
			}
		}
	}
	l.shade = noShade
	l.sgr(plain)
}

// stripLegend says what the signs that are on the timeline mean.
func stripLegend(l *liner, c *timeline.Chart) {
	var shown [len(stripMarks)]bool
	for i := range c.Columns {
		if m := signOf(&c.Columns[i]); m >= 0 {
			shown[m] = true
		}
	}
	if len(c.Columns) == 0 {
		return
	}
	l.own(" ▲", accent)
	l.own(" here  ", dim)
	for i, m := range stripMarks {
		if shown[i] && text.Width(string(m.name))+4 <= l.left {
			l.own(m.sign, m.st)
			l.own(" "+m.name+"  ", dim)
		}
	}
}

// signOf is the one of stripMarks that stands under a column, -1 for none.
func signOf(c *timeline.Column) int {
	for i := range stripMarks {
		if c.Marks&stripMarks[i].mark != 0 {
			return i
		}
	}
	return -1
}

// stripSigns paints the line under the bars: what happened, and where one is.
func (r *root) stripSigns(l *liner, c *timeline.Chart) {
	l.blank(1)
	here := c.At(r.call)
	for i := range c.Columns {
		sign, st := words(" "), plain
		if m := signOf(&c.Columns[i]); m >= 0 {
			sign, st = stripMarks[m].sign, stripMarks[m].st
		}
		if i == here && sign == " " {
			sign, st = "▲", accent
		}
		l.own(sign, st)
		l.blank(c.Wide - 1)
	}
}
