// Package inspector is the program that shows one run: the full history of a thread next to
// what the provider was sent at one of its calls.
//
// It routes keys and clicks to the screen on top, holds the state that screens share, and
// does what they ask for (hosting.go). Work runs in jobs; View and Update do no I/O.
//
// The package must never write to a file: Config.Save, Config.Export and Config.Keep do.
package inspector

import (
	"context"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/safe"
	"agentlens/internal/ui/inspection"
	"agentlens/internal/ui/job"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/panes"
	"agentlens/internal/ui/screens/chain"
	"agentlens/internal/ui/screens/timeline"
	"agentlens/internal/ui/view"
)

// inspector is the one Bubble Tea model. It routes messages to the panes, which are
// plain structs, and starts commands; see cmds.go for those.
type inspector struct {
	inspection.State
	cfg  Config
	ctx  context.Context
	th   *kit.Theme
	born *kit.Theme // the theme the program began with, once it was changed
	keys *keymap
	name safe.Safe // what is being opened

	w, h    int
	lay     layout
	focus   pane
	zoom    bool
	threads int // as in arrange
	spans   headerSpans
	liner   kit.LineWriter

	loads    *loader
	loadErr  error
	loadText safe.Safe
	sought   bool // the thread to begin with is not read yet
	chosen   bool // the person chose a call: a longer run does not move it

	tree      *panes.Tree
	msgs      *panes.Messages
	store     *view.Store
	colours   *kit.Colours
	chain     *chain.Editor
	timeline  *timeline.Timeline
	counting  *counting
	drawn     chan struct{} // closed once texts are on the screen
	sayDrawn  func()
	ticking   bool
	roughFrom int64 // see there
	jobs      *job.Jobs
	follow    bool // the next view scrolls to its horizon
	tail      bool // the next view scrolls to its end

	typing   *kit.SearchLine // a search being typed
	search   *view.Search
	searched []string // what was searched for, to search for it again
	overlays []kit.Screen
	reveal   bool
	// diffSides has diffs shown in two columns.
	diffSides bool
	note      kit.Words // said at the bottom until the next key
	waiting   kit.Words // the note while a screen or a chain is waited for
	noteText  safe.Safe

	writing writings  // exports that are not done
	yanked  safe.Safe // what was copied last
	// yankedWhat says what that is.
	yankedWhat kit.Words
	await      *await // a key that wants another after it
	trail      trail
	marks      map[string]spot
	answered   int32 // the result a person came from to its call, or -1
	goal       int   // message the next view goes to, or -1

	now     func() time.Time
	clicked lastClick // the last one

	crash error // a panic, turned into an error
	last  string
}

func newInspector(ctx context.Context, cfg Config, th *kit.Theme) *inspector {
	st, colours := view.NewStore(view.StoreBytes), kit.NewColours(th)
	drawn := make(chan struct{})
	r := &inspector{
		drawn: drawn, sayDrawn: sync.OnceFunc(func() { close(drawn) }),
		cfg: cfg, ctx: ctx, jobs: job.New(ctx), th: th, name: cfg.Gate.Line(cfg.Name), focus: historyPane,
		tree: panes.NewTree(), store: st, colours: colours, timeline: timeline.New(th), msgs: panes.NewMessages(th, st, colours),
		loads: newLoader(), marks: map[string]spot{}, answered: -1, goal: -1, roughFrom: roughFrom, now: time.Now,
	}
	r.State = inspection.New(&r.cfg.Config)
	r.chain = chain.New(cfg.Presets, cfg.Gate, r.cfg.Chain)
	r.keys = r.newKeymap()
	return r
}

// Init starts the load.
func (r *inspector) Init() tea.Cmd { return r.Load() }

// Update routes a message. A panic ends the program with an error, after the
// terminal is itself again.
func (r *inspector) Update(msg tea.Msg) (m tea.Model, cmd tea.Cmd) {
	defer func() {
		if p := recover(); p != nil {
			r.crash = job.NewCrash(p)
			m, cmd = r, tea.Quit
		}
	}()
	was, asked := r.lookedAt(), r.jobs.Token(askedJob)
	cmd = r.route(msg)
	if r.lookedAt() != was && r.jobs.Token(askedJob) == asked {
		r.jobs.Stop(askedJob) // the person has gone on
		r.endNote(r.waiting)
	}
	if r.Labels != nil {
		r.chain.Remember()
	}
	return r, tea.Batch(cmd, r.fetch(), r.colourNow(), r.readTimeline(), r.layNow())
}

func (r *inspector) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case job.Answer:
		return r.jobs.Take(msg)
	case job.Crashed:
		r.crash = msg.Err
		return tea.Quit
	case sceneMsg:
		return r.takeLoaded(msg)
	case loadFailed:
		return r.takeLoadError(msg.err)
	case changedMsg:
		return r.Load()
	case tickMsg:
		return r.tick()
	case tea.WindowSizeMsg:
		r.Resize(msg.Width, msg.Height)
	case tea.KeyMsg:
		return r.keyMsg(msg)
	case tea.MouseMsg:
		return r.mouse(tea.MouseEvent(msg))
	case tea.ResumeMsg:
		if !r.cfg.NoMouse { // Bubble Tea forgets it
			return tea.EnableMouseCellMotion
		}
	}
	return nil
}

func (r *inspector) Resize(w, h int) {
	r.w, r.h = w, h
	r.arrange()
	r.followNow()
	for _, p := range r.overlays {
		p.Resize(w, h)
	}
}

// arrange computes the layout anew and tells the panes.
func (r *inspector) arrange() {
	r.lay = arrange(r.w, r.h, r.threads, r.focus, r.zoom, r.timeline.Wants(r.h), r.chain.Height())
	if r.lay.panes[r.focus].w == 0 && !r.lay.small {
		r.focus = historyPane
		r.lay = arrange(r.w, r.h, r.threads, r.focus, r.zoom, r.timeline.Wants(r.h), r.chain.Height())
	}
	rows := max(r.h-5-r.lay.timeline-r.lay.panel, 1)
	r.tree.Rows, r.msgs.Rows = rows, rows
	for s := range r.msgs.Width {
		r.msgs.Width[s] = max(r.lay.panes[historyPane+pane(s)].w-2, 0)
	}
	if r.lay.small {
		r.msgs.Width = [2]int{20, 0}
	}
	if r.msgs.Width == [2]int{} { // only the threads are on the screen
		r.msgs.Width[panes.History] = max(r.w-2, 1)
	}
	r.tree.Reveal()
	if r.msgs.Shown != nil {
		r.msgs.Reveal(rows)
	}
}

// keyMsg sends keys to the overlay, to what is being typed, or to the action
// they belong to. Keys that arrive together come as one message; escape and the
// key after it, over a slow line, as that key with Alt, which no action has.
func (r *inspector) keyMsg(k tea.KeyMsg) tea.Cmd {
	var cmds []tea.Cmd
	if k.Alt && k.Type == tea.KeyRunes && !r.chain.Typing() && r.typing == nil {
		cmds = append(cmds, r.Key(tea.KeyMsg{Type: tea.KeyEsc}))
		k.Alt = false
	}
	if k.Type != tea.KeyRunes || len(k.Runes) < 2 || k.Paste || k.Alt {
		return tea.Batch(append(cmds, r.Key(k))...)
	}
	for _, c := range k.Runes {
		one := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{c}}
		if c == ' ' {
			one.Type = tea.KeySpace
		}
		cmds = append(cmds, r.Key(one))
	}
	return tea.Batch(cmds...)
}

// Key presses a key on the screen that is shown.
func (r *inspector) Key(k tea.KeyMsg) tea.Cmd {
	r.note, r.noteText = "", safe.Safe{}
	s := r.Screen()
	if a := s.Find(k.String()); a != nil && !k.Paste {
		return r.act(a)
	}
	if s.Typed != nil {
		return s.Typed(k)
	}
	if !k.Paste {
		r.note = "no such key here: ? shows them"
	}
	return nil
}

// act does an action, or says why it cannot be done.
func (r *inspector) act(a *kit.Action) tea.Cmd {
	if why := a.Why(); why != "" {
		r.note = why
		return nil
	}
	if !a.Jump || r.Labels == nil {
		return a.Run()
	}
	from := r.spotNow()
	cmd := a.Run()
	if r.spotNow() != from {
		r.trail.leave(from)
	}
	return cmd
}

// View paints the screen.
func (r *inspector) View() (screen string) {
	defer func() {
		if p := recover(); p != nil {
			r.crash = job.NewCrash(p)
			screen = r.last
		}
	}()
	r.last = r.Paint()
	return r.last
}
