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
	previewFrom  = 24 // height of the screen from which on there is one
	previewMost  = 14 // its lines
	previewWait  = 120 * time.Millisecond
	previewCache = 64 // runs that are kept
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

// previews are those of the runs the cursor rested on.
type previews struct {
	off   bool
	of    map[int]*preview // by row; nil while it is read
	later bool             // the list is settled in a while
	on    int              // row the cursor was on when it last moved
	moved int              // counts its moves
}

// restMsg says that the cursor has rested on a row.
type restMsg struct{ moved int }

// previewMsg is a preview that was read.
type previewMsg struct {
	row     int
	preview *preview
}

// previewRows is how many lines the preview takes, with its title; 0 for none.
func (p *Picker) previewRows() int {
	if p.cfg.Preview == nil || p.peek.off || p.h < previewFrom {
		return 0
	}
	return min(p.h/3, previewMost)
}

// here is the row the cursor is on, -1 for none.
func (p *Picker) here() int {
	if p.cursor < len(p.shown) {
		return p.shown[p.cursor]
	}
	return -1
}

// laterMsg comes a while after the list changed.
type laterMsg struct{}

// rest waits for the cursor to rest, when it moved to a row that is not known. A list
// that changes, as while runs are found, is looked at again in a while.
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

// readPreview reads the preview of the row the cursor rests on.
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
		if s.Text.String() == "" && len(s.Calls) > 0 {
			l.tool, l.text = gate.Line("→ "+m.Calls[0].Name), s.Calls[0].Args
		}
		p.lines = append(p.lines, l)
	}
	return p
}

// previewLineAt paints line y of the preview of rows lines.
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
