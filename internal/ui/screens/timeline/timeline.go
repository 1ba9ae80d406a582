// Package timeline is the timeline of a thread: the size of the context at every call as bars,
// and what happened there as marks under them.
//
// It lies under the panes and takes keys while it is walked. Its host says what is shown
// ([Timeline.Show]) and which replay to read ([Timeline.Update]).
//
// The package must never change the call that is shown: it asks its host with [kit.GoCall],
// [NextCall] and [Half].
package timeline

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/curate"
	"agentlens/internal/model"
	"agentlens/internal/ui/chart"
	"agentlens/internal/ui/job"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/view"
)

// Sizes in lines: a title, the bars, the marks and the legend.
const (
	bars       = 4
	height     = bars + 3
	shownAbove = 44 // on screens with at least this number of lines, the timeline is shown by default
)

// State specifies what the timeline shows: a thread, the current call and the width of the screen.
type State struct {
	Thread *model.Thread
	Call   int
	Width  int
	Exact  bool // tokens are counted, not estimated
}

// visibility specifies whether the timeline is shown.
type visibility uint8

const (
	auto visibility = iota // shown if there is enough space
	shown
	hidden
)

// A Timeline shows the timeline of the replay most recently passed to Update.
type Timeline struct {
	th      *kit.Theme
	show    visibility
	walking bool

	of    *curate.Replayed // the replay that data was read from
	data  *chart.Data
	chart *chart.Chart // data in a chart of state.Width cells
	wide  int          // width of chart
	state State

	line      kit.LineWriter
	painted   [height]string
	paintedAs look
}

// look is everything that affects the painted lines.
type look struct {
	chart   *chart.Chart
	state   State
	walking bool
}

// New returns a timeline that is shown if the screen is high enough.
func New(th *kit.Theme) *Timeline { return &Timeline{th: th} }

// Wants returns the number of lines that the timeline needs on a screen of the given height.
func (t *Timeline) Wants(screen int) int {
	if t.show == shown || t.show == auto && screen >= shownAbove {
		return height
	}
	return 0
}

// Open shows the timeline regardless of the height of the screen.
func (t *Timeline) Open() { t.show = shown }

// Walk focuses the timeline.
func (t *Timeline) Walk() { t.walking = true }

// Walking reports whether the timeline is focused.
func (t *Timeline) Walking() bool { return t.walking }

// Hide hides the timeline and removes the focus.
func (t *Timeline) Hide() { t.show, t.walking = hidden, false }

// Show sets what the timeline shows.
func (t *Timeline) Show(s State) { t.state = s }

// Repaint drops the painted lines, for example after a change of the theme.
func (t *Timeline) Repaint() { t.paintedAs = look{} }

// Update reads the context sizes of all calls from a replay of the thread, in a job. It does
// nothing if they are already read.
func (t *Timeline) Update(h kit.Host, of *curate.Replayed, thread *model.Thread) tea.Cmd {
	if of == t.of {
		return nil
	}
	t.of = of
	return h.Start(job.Key{Kind: "timeline"}, func(ctx context.Context) func() tea.Cmd {
		data := Read(ctx, of, thread)
		return func() tea.Cmd { t.data, t.chart = data, nil; return nil }
	})
}

// Read returns the context size and the marks of each call of a replay.
func Read(ctx context.Context, of *curate.Replayed, t *model.Thread) *chart.Data {
	d := &chart.Data{Marks: make([]chart.Mark, of.Calls()+1)}
	rows := of.Series(chart.Kinds, func(i int32, role model.Role) int {
		if i >= 0 && t.At(int(i)).Badges.Has(model.Injected) {
			return view.KindInjected
		}
		return int(role)
	})
	copy(d.Tokens[:], rows)
	breaks := view.BreaksOf(of, t)
	for i := range d.Marks {
		if breaks.Has(i + 1) {
			d.Marks[i] |= chart.Broke
		}
		if !of.Has(i + 1) {
			d.Marks[i] |= chart.Unknown
		}
	}
	for call := range of.Firings() {
		d.Marks[call-1] |= chart.Acted
	}
	byKind := map[model.MarkerKind]chart.Mark{
		model.ErrorMarker: chart.Failed, model.UnrecordedEdit: chart.Fell, model.BeginsMidway: chart.Midway,
	}
	for i := range t.Markers {
		k := &t.Markers[i]
		at := t.CallAfter(k.After) - 1
		if view.Cuts(k.Kind) {
			d.Marks[at] |= chart.Cut
		}
		d.Marks[at] |= byKind[k.Kind]
	}
	for i := range t.Len() {
		if i&4095 == 0 && ctx.Err() != nil {
			break
		}
		if view.IsError(t.At(i)) {
			d.Marks[t.CallAfter(i)-1] |= chart.Failed
		}
	}
	return d
}

// columns returns the chart for the width of the screen, or nil until the data is read.
func (t *Timeline) columns() *chart.Chart {
	if t.data == nil {
		return nil
	}
	if width := t.state.Width - 2; t.chart == nil || t.wide != width {
		t.chart, t.wide = chart.New(t.data, width), width
	}
	return t.chart
}

// CallAt returns the call at cell x of the screen. ok is false if there is no bar.
func (t *Timeline) CallAt(x int) (call int, ok bool) {
	c := t.columns()
	if c == nil || x < 1 || (x-1)/c.Wide >= len(c.Columns) {
		return 0, false
	}
	return c.Columns[(x-1)/c.Wide].Largest, true
}
