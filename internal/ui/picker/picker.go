// Package picker shows the list of runs in which the user chooses one. It is a Bubble Tea
// model and the host of its own help.
//
// The package must never open the chosen run: it returns its row.
package picker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/library/catalog"
	"agentlens/internal/model"
	"agentlens/internal/safe"
	"agentlens/internal/ui/job"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/screens/pager"
	"agentlens/internal/ui/term"
)

// Config configures the picker.
type Config struct {
	// Scan passes the runs to emit as it finds them, newest first. It runs in the background
	// and ends with ctx.
	Scan func(ctx context.Context, emit func(catalog.Row) error) error
	// Preview opens the run of a row for its preview. The picker calls done when it has read
	// the run. Nil disables previews.
	Preview func(ctx context.Context, row *catalog.Row) (run *model.Run, done func(), err error)
	Gate    *safe.Gate
	// Where names the searched place: "this machine", or a path.
	Where   string
	Theme   string
	Palette *kit.Palette
	In, Out *os.File
	NoMouse bool
}

// A Picker is the list of runs. It keeps its rows and its filter between calls of Pick, so
// that the user returns to the same place.
type Picker struct {
	cfg    Config
	th     *kit.Theme
	w, h   int
	filter *kit.Input

	rows     []catalog.Row
	hay      []string  // text that the filter searches, by row
	fits     []fitness // by row; new rows have none yet
	dirty    bool      // shown is out of date
	shown    []int     // rows that match the filter, in screen order
	order    int       // index in pickOrders
	cursor   int       // index in shown
	top      int
	scanning bool
	scanErr  error

	peek previews
	help *pager.Pager // over the list, or nil
	ctx  context.Context
	jobs *job.Jobs

	now     func() time.Time
	clicked kit.Click
	at      time.Time // time of the last click
	note    kit.Words // shown at the bottom until the next key

	batches chan rowsMsg
	Chosen  int // row, or -1
	crash   error
	writer  kit.LineWriter
}

// rowsMsg brings rows of the scan. last marks the end of the scan.
type rowsMsg struct {
	rows []catalog.Row
	last bool
	err  error
}

// New returns a picker. The scan starts with Pick.
func New(cfg Config) *Picker {
	return &Picker{cfg: cfg, filter: kit.NewInput(""), Chosen: -1, ctx: context.Background(), jobs: job.New(context.Background()), now: time.Now, peek: previews{of: map[int]*preview{}, on: -1}}
}

// Pick shows the list until the user chooses a run. ok is false if the user leaves without
// one.
func (p *Picker) Pick(ctx context.Context) (row catalog.Row, ok bool, err error) {
	if p.batches == nil {
		p.scan(ctx) // continues while the user looks at a run
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	in := term.NewKeyReader(p.cfg.In)
	th := kit.ChooseTheme(p.cfg.Theme, p.cfg.Palette, in.AskLight(p.cfg.Out))
	p.th, p.Chosen, p.ctx, p.jobs, p.peek.on = th, -1, ctx, job.New(ctx), -1
	err = term.Run(ctx, p, in, p.cfg.Out, p.cfg.NoMouse)
	switch {
	case p.crash != nil:
		return row, false, p.crash
	case errors.Is(err, context.Canceled), errors.Is(err, term.ErrHungUp):
		return row, false, err
	case err != nil:
		return row, false, fmt.Errorf("show the runs: %w", err)
	case p.Chosen < 0:
		return row, false, nil
	}
	return p.rows[p.Chosen], true, nil
}

// scan scans for runs in the background. While the list is busy, it collects the rows in one
// message.
func (p *Picker) scan(ctx context.Context) {
	p.batches, p.scanning = make(chan rowsMsg, 64), true
	batches, scan := p.batches, p.cfg.Scan
	go func() {
		end := rowsMsg{last: true}
		defer func() {
			if fault := recover(); fault != nil {
				end.err = job.NewCrash(fault)
			}
			batches <- end
		}()
		var batch []catalog.Row
		send := func() {
			batches <- rowsMsg{rows: batch}
			batch = nil
		}
		end.err = scan(ctx, func(row catalog.Row) error {
			if batch = append(batch, row); len(batches) == 0 || len(batch) >= 500 {
				send()
			}
			return ctx.Err()
		})
		end.rows = batch
	}()
}

// Init returns a command that waits for rows.
func (p *Picker) Init() tea.Cmd {
	if !p.scanning {
		return nil
	}
	batches := p.batches
	return func() tea.Msg { return <-batches }
}

// Update handles a message.
func (p *Picker) Update(msg tea.Msg) (m tea.Model, cmd tea.Cmd) {
	defer func() {
		if fault := recover(); fault != nil {
			p.crash = job.NewCrash(fault)
			m, cmd = p, tea.Quit
		}
	}()
	cmd = p.route(msg)
	return p, tea.Batch(cmd, p.rest())
}

func (p *Picker) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		p.w, p.h = msg.Width, msg.Height
		p.moveBy(0)
	case rowsMsg:
		p.takeRows(msg)
		return p.Init()
	case job.Answer:
		return p.jobs.Take(msg)
	case laterMsg:
		p.peek.later = false
		p.settle()
	case restMsg:
		return p.readPreview(msg)
	case previewMsg:
		p.peek.of[msg.row] = msg.preview
	case job.Crashed:
		p.crash = msg.Err
		return tea.Quit
	case tea.ResumeMsg:
		if !p.cfg.NoMouse { // Bubble Tea does not restore it
			return tea.EnableMouseCellMotion
		}
	case tea.KeyMsg:
		return p.key(msg)
	case tea.MouseMsg:
		return p.mouse(tea.MouseEvent(msg))
	}
	return nil
}

// takeRows adds rows. The cursor stays on its run, or at the top.
func (p *Picker) takeRows(msg rowsMsg) {
	p.scanning, p.scanErr = !msg.last, msg.err
	for i := range msg.rows {
		row := &msg.rows[i]
		p.hay = append(p.hay, strings.ToLower(strings.Join([]string{
			row.Title.Line().String(), row.ID.Line().String(), row.Format, string(row.Status), modelsOf(row), row.Source.Line().String(),
		}, " ")))
	}
	p.rows = append(p.rows, msg.rows...)
	p.dirty = true
}

func modelsOf(row *catalog.Row) string {
	var names []string
	for _, m := range row.Models {
		names = append(names, m.Line().String())
	}
	return strings.Join(names, " ")
}

// moveBy moves the cursor by n rows and scrolls to it.
func (p *Picker) moveBy(n int) {
	p.cursor = min(max(p.cursor+n, 0), max(len(p.shown)-1, 0))
	rows := p.listRows()
	p.top = min(max(p.top, p.cursor-rows+1), p.cursor)
	p.top = max(min(p.top, len(p.shown)-rows), 0)
}
