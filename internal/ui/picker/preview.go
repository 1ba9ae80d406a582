package picker

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/library/catalog"
	"agentlens/internal/model"
	"agentlens/internal/safe"
	"agentlens/internal/ui/job"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/view"
)

// Bounds of the preview of the picker.
const (
	previewFrom  = 24                     // least height of a screen with a preview
	previewMost  = 14                     // lines of the preview
	previewWait  = 120 * time.Millisecond // until the cursor counts as resting
	previewCache = 64                     // previews in the cache
)

// A preview is the end of the conversation of one run.
type preview struct {
	lines []previewLine
	err   safe.Safe
}

type previewLine struct {
	role model.Role
	text safe.Safe
	tool safe.Safe
}

// previews caches the previews of runs under the cursor.
type previews struct {
	off   bool
	of    map[int]*preview // by row; nil while a job reads it
	later bool             // a laterMsg is pending
	on    int              // row under the cursor after its last move
	moved int              // number of moves of the cursor
}

// restMsg reports that the cursor rests on a row.
type restMsg struct{ moved int }

// previewMsg brings a preview.
type previewMsg struct {
	row     int
	preview *preview
}

// previewRows returns the height of the preview with its title, or 0 without a preview.
func (p *Picker) previewRows() int {
	if p.cfg.Preview == nil || p.peek.off || p.h < previewFrom {
		return 0
	}
	return min(p.h/3, previewMost)
}

// here returns the row under the cursor, or -1.
func (p *Picker) here() int {
	if p.cursor < len(p.shown) {
		return p.shown[p.cursor]
	}
	return -1
}

// laterMsg arrives some time after the list has changed.
type laterMsg struct{}

// rest schedules the preview of a row for the time when the cursor rests on it. If the list
// is still changing, it tries again later.
func (p *Picker) rest() tea.Cmd {
	if p.dirty {
		if p.peek.later || p.previewRows() == 0 {
			return nil
		}
		p.peek.later = true
		return tea.Tick(previewWait, func(time.Time) tea.Msg { return laterMsg{} })
	}
	row := p.here()
	if p.previewRows() == 0 || row < 0 || row == p.peek.on {
		return nil
	}
	p.peek.on = row
	p.peek.moved++
	if _, known := p.peek.of[row]; known {
		return nil
	}
	moved := p.peek.moved
	return tea.Tick(previewWait, func(time.Time) tea.Msg { return restMsg{moved} })
}

// readPreview reads the preview of the row under the cursor in a job.
func (p *Picker) readPreview(msg restMsg) tea.Cmd {
	row := p.here()
	if msg.moved != p.peek.moved || row < 0 {
		return nil
	}
	if _, known := p.peek.of[row]; known {
		return nil
	}
	if len(p.peek.of) >= previewCache {
		clear(p.peek.of)
	}
	p.peek.of[row] = nil
	read, gate, r, n := p.cfg.Preview, p.cfg.Gate, p.rows[row], previewMost
	ctx := p.ctx
	return job.Safely(func() tea.Msg { return previewMsg{row, readPreview(ctx, read, gate, &r, n)} })
}

func readPreview(ctx context.Context, read func(context.Context, *catalog.Row) (*model.Run, func(), error), gate *safe.Gate, row *catalog.Row, n int) *preview {
	run, done, err := read(ctx, row)
	if err != nil {
		return &preview{err: gate.Line(kit.OneLine(err.Error()))}
	}
	defer done()
	t := run.MainThread()
	if t == nil || t.Len() == 0 {
		return &preview{err: gate.Literal("no message is in it")}
	}
	rd := view.Reader{Run: run, Thread: t, Gate: gate}
	p := &preview{}
	for i := max(t.Len()-n, 0); i < t.Len(); i++ {
		m := t.At(i)
		s := rd.Summarise(view.Request{Message: m})
		l := previewLine{role: m.Role, text: s.Text, tool: s.Tool}
		if s.Answers != nil { // the text names the tool
			l.tool = safe.Safe{}
		}
		if s.Text.String() == "" && len(s.Calls) > 0 {
			l.text = gate.Literal("→ " + s.Calls[0].Words(true))
		}
		p.lines = append(p.lines, l)
	}
	return p
}

// previewLineAt paints line y of a preview with rows lines.
func (p *Picker) previewLineAt(l *kit.LineWriter, y, rows int) {
	if y == 0 {
		l.On(kit.WeakShade, kit.Plain)
		l.Words(" the last messages", kit.Title)
		l.Words("  ctrl-t hides them", kit.Faint)
		l.To(0)
		return
	}
	row := p.here()
	v, known := p.peek.of[row]
	switch {
	case row < 0, !known, v == nil:
		if y == 1 && row >= 0 {
			l.Words("  …", kit.Faint)
		}
	case v.lines == nil:
		if y == 1 {
			l.Blank(2)
			l.Safe(v.err, kit.Dim)
		}
	default:
		first := max(len(v.lines)-(rows-1), 0)
		if i := first + y - 1; i < len(v.lines) {
			b := &v.lines[i]
			l.Blank(2)
			l.Within(view.RoleCells, func() { l.Words(safe.Name(b.role), view.RoleStyles[b.role]) })
			l.Blank(1)
			if b.tool.String() != "" {
				l.Safe(b.tool, kit.Dim)
				l.Blank(1)
			}
			l.Safe(b.text, kit.Plain)
		}
	}
}
