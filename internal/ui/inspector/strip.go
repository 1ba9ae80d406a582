package inspector

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/curate"
	"agentlens/internal/model"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/timeline"
	"agentlens/internal/ui/view"
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
func (r *inspector) stripPainted(y int) string {
	s := &r.strip
	as := stripState{r.laid(), r.threadNow(), r.call, r.w, s.scrub, r.msgs.Shown != nil && r.msgs.Shown.Exact}
	if s.paintedAs != as || s.painted[0] == "" {
		s.paintedAs = as
		l := r.linerAt(0)
		for i := range s.painted {
			l.Reset(r.th, r.w, kit.NoShade)
			r.stripLine(l, i)
			s.painted[i] = l.String()
		}
	}
	return s.painted[y]
}

// kindLetters stand for the kinds on a screen without colours.
var kindLetters = [timeline.Kinds]kit.Words{"s", "u", "a", "t", "i"}

var eighths = [9]kit.Words{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}

// stripMarks are the marks under the bars, the most telling first.
var stripMarks = [...]struct {
	mark timeline.Mark
	sign kit.Words
	name kit.Words
	st   kit.Style
}{
	{timeline.Cut, "▼", "compaction", kit.Marker},
	{timeline.Failed, "✗", "error", kit.Failure},
	{timeline.Broke, "!", "prefix broke", kit.Changed},
	{timeline.Unknown, "?", "not recorded", kit.Faint},
}

func (r *inspector) stripWants() int {
	if r.strip.show > 0 || r.strip.show == 0 && r.h >= stripFrom {
		return stripHeight
	}
	return 0
}

// stripNow makes the timeline of the view that is shown, where it is on the screen
// and not made yet.
func (r *inspector) stripNow() tea.Cmd {
	s := r.msgs.Shown
	if r.lay.strip == 0 || s == nil || r.replays == nil {
		return nil
	}
	of := r.replays.Chained
	if r.chain.wanted() == "" || of == nil {
		of = r.replays.Recorded
	}
	if of == r.strip.of {
		return nil
	}
	r.strip.of = of
	t := s.Thread
	return r.jobs.Start(chartJob, func(ctx context.Context) func() tea.Cmd {
		data := stripData(ctx, of, t)
		return func() tea.Cmd { r.strip.data, r.strip.chart = data, nil; return nil }
	})
}

// stripData reads the sizes of all calls off a replay, and what happened at them.
func stripData(ctx context.Context, of *curate.Replayed, t *model.Thread) *timeline.Data {
	d := &timeline.Data{Marks: make([]timeline.Mark, of.Calls()+1)}
	rows := of.Series(timeline.Kinds, func(i int32, role model.Role) int {
		if i >= 0 && t.At(int(i)).Badges.Has(model.Injected) {
			return view.KindInjected
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
		switch at := t.CallAfter(k.After) - 1; {
		case view.Cuts(k.Kind):
			d.Marks[at] |= timeline.Cut
		case k.Kind == model.ErrorMarker:
			d.Marks[at] |= timeline.Failed
		}
	}
	for i := range t.Len() {
		if i&4095 == 0 && ctx.Err() != nil {
			break
		}
		if view.IsError(t.At(i)) {
			d.Marks[t.CallAfter(i)-1] |= timeline.Failed
		}
	}
	return d
}

// laid is the chart for the width of the screen, or nil.
func (r *inspector) laid() *timeline.Chart {
	s := &r.strip
	if s.data == nil {
		return nil
	}
	if width := r.w - 2; s.chart == nil || s.width != width {
		s.chart, s.width = timeline.Lay(s.data, width), width
	}
	return s.chart
}
