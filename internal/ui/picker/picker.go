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
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/curate"
	"agentlens/internal/curate/models"
	"agentlens/internal/library/catalog"
	"agentlens/internal/library/search"
	"agentlens/internal/model"
	"agentlens/internal/safe"
	"agentlens/internal/ui/job"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/screens/help"
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
	// Search passes the results of searching all files of the list to emit. Nil disables it.
	// Files is the number of these files, or 0.
	Search func(ctx context.Context, q *search.Query, emit func(search.Result) error) error
	Files  int
	// Prices and Windows return the facts about models that the audit of a preview uses. Nil Prices disables
	// the audit.
	Prices  func(modelName string) models.Prices
	Windows curate.Windows
	Gate    *safe.Gate
	// Where names the searched place: "this machine", or a path.
	Where   string
	Theme   string
	Palette *kit.Palette
	In, Out *os.File
	NoMouse bool
}

// A scope selects what the typed text is compared with.
type scope uint8

const (
	titles   scope = iota // titles and other facts of the runs, as the list has them
	contents              // the same, and the messages of all runs
)

// A Picker is the list of runs. It keeps its rows, its order and its search between calls of
// Pick, so that the user returns to the same place.
type Picker struct {
	cfg    Config
	th     *kit.Theme
	w, h   int
	line   *kit.Input // the filter, or the text to search for
	typing bool       // keys go to line
	scope  scope
	typed  int // number of changes of line

	rows     []catalog.Row
	hay      []haystack     // by row
	byKey    map[string]int // row by key of the run
	columns  []column
	valued   map[kit.Words]bool // columns that have a value in any row
	terms    []string           // of the filter
	fits     []fitness          // by row; new rows have none yet
	dirty    bool               // shown is out of date
	shown    []entry            // in screen order
	matched  int                // number of runs in shown
	order    int                // index in orders
	reversed bool
	cursor   int // index in shown
	top      int
	count    int      // typed before a move, or 0
	marked   []string // keys of the runs to compare, at most two
	scanning bool
	scanErr  error

	found contentSearch
	peek  previews
	help  *help.Help // over the list, or nil
	jobs  *job.Jobs

	now     func() time.Time
	clicked kit.Click
	at      time.Time // time of the last click
	note    kit.Words // shown at the bottom until the next key
	pressed string    // the key that is handled

	batches chan rowsMsg
	choice  Choice
	left    bool // a choice was made
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
	first := titles
	if cfg.Search != nil {
		first = contents
	}
	return &Picker{
		cfg: cfg, scope: first, line: kit.NewInput(""), jobs: job.New(context.Background()), now: time.Now, peek: previews{of: map[int]*preview{}, on: -1},
		byKey: map[string]int{}, columns: columns(), valued: map[kit.Words]bool{},
	}
}

// Pick shows the list until the user chooses a run. ok is false if the user leaves without
// one.
func (p *Picker) Pick(ctx context.Context) (choice Choice, ok bool, err error) {
	if p.batches == nil {
		p.scan(ctx) // continues while the user looks at a run
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	in := term.NewKeyReader(p.cfg.In)
	th := kit.ChooseTheme(p.cfg.Theme, p.cfg.Palette, in.AskLight(p.cfg.Out))
	p.th, p.choice, p.left, p.jobs, p.typing = th, Choice{}, false, job.New(ctx), false
	p.restart()
	err = term.Run(ctx, p, in, p.cfg.Out, p.cfg.NoMouse)
	switch {
	case p.crash != nil:
		return choice, false, p.crash
	case errors.Is(err, context.Canceled), errors.Is(err, term.ErrHungUp):
		return choice, false, err
	case err != nil:
		return choice, false, fmt.Errorf(cannotShowRuns, err)
	}
	return p.choice, p.left, nil
}

// restart drops the unfinished work of the previous Pick.
func (p *Picker) restart() {
	p.peek.on = -1
	for row, v := range p.peek.of {
		if v == nil || !v.done {
			delete(p.peek.of, row)
		}
	}
	if p.found.running {
		p.found.running, p.found.err = false, context.Canceled
	}
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

// Init returns a command that waits for rows, and continues a search.
func (p *Picker) Init() tea.Cmd {
	if p.found.err != nil && p.scope == contents { // it was cut off by the choice of a run
		return tea.Batch(p.nextRows(), p.search())
	}
	return p.nextRows()
}

func (p *Picker) nextRows() tea.Cmd {
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
		return p.nextRows()
	case job.Answer:
		return p.jobs.Take(msg)
	case laterMsg:
		p.peek.later = false
		p.settle()
	case restMsg:
		return p.readPreview(msg)
	case searchMsg:
		if msg.typed == p.typed && p.scope == contents {
			return p.search()
		}
	case job.Crashed:
		p.crash = msg.Err
		return tea.Quit
	case tea.ResumeMsg:
		if !p.cfg.NoMouse { // Bubble Tea does not restore it
			return tea.EnableMouseCellMotion
		}
	case tea.KeyMsg:
		return p.keys(msg)
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
		p.byKey[keyOf(row.Path, row.ID.String())] = len(p.hay)
		p.hay = append(p.hay, haystackOf(row))
		p.noteValues(row)
	}
	p.rows = append(p.rows, msg.rows...)
	p.dirty = true
}

// moveBy moves the cursor by n rows and scrolls to it.
func (p *Picker) moveBy(n int) {
	p.cursor = min(max(p.cursor+n, 0), max(len(p.shown)-1, 0))
	rows := p.listRows()
	p.top = min(max(p.top, p.cursor-rows+1), p.cursor)
	p.top = max(min(p.top, len(p.shown)-rows), 0)
}
