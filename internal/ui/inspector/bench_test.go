package inspector

import (
	"context"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/screens/diff"
	"agentlens/internal/ui/timeline"
	"agentlens/internal/ui/uitest"
	"agentlens/internal/ui/view"
)

// longDriver shows a thread of 100,000 messages with a chain over it.
func longDriver(b testing.TB) *driver {
	cfg := Config{Name: "long", Gate: uitest.Gate(b), Load: load(uitest.Long(100_000)), Chain: tryChain}
	d := &driver{r: newInspector(context.Background(), cfg, kit.NewTheme(false, kit.TrueColour))}
	d.t = &testing.T{}
	d.queue = append(d.queue, d.r.Init())
	d.send(tea.WindowSizeMsg{Width: 160, Height: 50})
	if d.r.msgs.Shown == nil || d.r.msgs.Count < 100_000 {
		b.Fatal("the long thread is not shown")
	}
	return d
}

func BenchmarkFrame160x50(b *testing.B) {
	d := longDriver(b)
	b.ReportAllocs()
	for b.Loop() {
		if len(d.r.View()) < 160*50 {
			b.Fatal("no frame")
		}
	}
}

// BenchmarkKeyToFrame160x50 is one key down and the frame after it, in the
// middle of the thread, with every third message unfolded.
func BenchmarkKeyToFrame160x50(b *testing.B) {
	d := longDriver(b)
	m := d.r.msgs
	for i := 0; i < m.Count; i += 3 {
		m.SetOpen(&m.Shown.Items[i], true)
	}
	m.GoTo(m.Count/2, m.Rows)
	down := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'j'}}
	b.ReportAllocs()
	for b.Loop() {
		d.send(down)
		d.r.View()
	}
}

func TestFrameIsCheap(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing in it runs at once: left out with -short")
	}
	for name, d := range map[string]*driver{"words": longDriver(t), "code": codeDriver(t)} {
		if n := testing.AllocsPerRun(20, func() { d.r.View() }); n > 500 {
			t.Errorf("a frame of %s takes %.0f allocations, at most 500 are allowed", name, n)
		}
	}
}

// codeDriver shows long files of code, all of it unfolded and coloured.
func codeDriver(b testing.TB) *driver {
	cfg := Config{Name: "code", Gate: uitest.Gate(b), Load: load(uitest.LongCode(200))}
	d := &driver{r: newInspector(context.Background(), cfg, kit.NewTheme(false, kit.TrueColour))}
	d.t = &testing.T{}
	d.queue = append(d.queue, d.r.Init())
	d.send(tea.WindowSizeMsg{Width: 160, Height: 50})
	d.Press("+", "g", "G", "K", "K")
	if len(d.r.colours.Chunks) == 0 {
		b.Fatal("nothing is coloured")
	}
	return d
}

func BenchmarkFrameOfCode160x50(b *testing.B) {
	d := codeDriver(b)
	b.ReportAllocs()
	for b.Loop() {
		if len(d.r.View()) < 160*50 {
			b.Fatal("no frame")
		}
	}
}

// BenchmarkTimeline reads the timeline of 100,000 messages off a replay, as a command
// does, and lays it out.
func BenchmarkTimeline(b *testing.B) {
	d := longDriver(b)
	of, t := d.r.replays.Chained, d.r.threadNow()
	b.ReportAllocs()
	for b.Loop() {
		if c := timeline.Lay(stripData(context.Background(), of, t), 158); len(c.Columns) != 158 {
			b.Fatal("no columns")
		}
	}
}

// BenchmarkDiff compares the history of 100,000 messages with what a chain leaves of
// it, as a command does.
func BenchmarkDiff(b *testing.B) {
	d := longDriver(b)
	q := view.Query{
		Run: d.r.scene.Run, Thread: d.r.threadNow(), Marks: d.r.scene.Markers[0], Call: d.r.call, Chain: "clear_tool_uses(1000, keep=5)",
		Sizes: d.r.sizes[d.r.threadNow()], Gate: d.r.cfg.Gate,
	}
	rd := d.r.reader()
	b.ReportAllocs()
	for b.Loop() {
		if v, err := diff.Of(context.Background(), q, rd, diff.FullAgainstView, 0); err != nil || len(v.Texts) < 1000 {
			b.Fatal(err)
		}
	}
}
