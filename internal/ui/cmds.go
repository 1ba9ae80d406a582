package ui

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/model"
)

// This file is every command: work away from the frame, and what becomes of its
// answer. Commands never touch the state; late answers are told by their
// generation and dropped.

// crashMsg is a panic in a command.
type crashMsg struct{ err error }

// safely turns a panic in a command into a message.
func safely(f func() tea.Msg) tea.Cmd {
	return func() (msg tea.Msg) {
		defer func() {
			if p := recover(); p != nil {
				msg = crashMsg{crashError(p)}
			}
		}()
		return f()
	}
}

// takeScene takes over a run: at first its head, then all of it. What is shown
// stays where it is.
func (r *root) takeScene(msg sceneMsg) tea.Cmd {
	old := r.threadNow()
	first := r.scene == nil
	r.tail = !first && r.cfg.Changed != nil && r.msgs.atEnd()
	r.scene = msg.scene
	run := r.scene.run
	if first {
		r.thread = r.wantedThread(run)
	} else {
		r.thread = threadByID(run, old, r.thread)
	}
	t := r.threadNow()
	if t == nil {
		r.tree.show(r.scene, r.thread, r.call)
		return nil
	}
	switch {
	case first && r.cfg.Call > 0:
		r.call, r.chosen = r.cfg.Call, true
	case !r.chosen && len(t.Calls) > 0:
		r.call = len(t.Calls)
	case !r.chosen:
		r.call = 1
	}
	r.clearSearch()
	r.follow = first
	return tea.Batch(r.refresh(), r.measureNow())
}

// wantedThread is the thread to begin with.
func (r *root) wantedThread(run *model.Run) int {
	if r.cfg.Thread == "" {
		return max(slices.Index(run.Threads, run.MainThread()), 0)
	}
	by := func(match func(id, want string) bool) int {
		return slices.IndexFunc(run.Threads, func(t *model.Thread) bool { return match(t.ID, r.cfg.Thread) })
	}
	if i := by(func(id, want string) bool { return id == want }); i >= 0 {
		return i
	}
	return max(by(strings.HasPrefix), 0)
}

// threadByID finds a thread of an earlier form of the run in run.
func threadByID(run *model.Run, old *model.Thread, at int) int {
	if old == nil || at < len(run.Threads) && run.Threads[at].ID == old.ID {
		return at
	}
	for i, t := range run.Threads {
		if t.ID == old.ID {
			return i
		}
	}
	return 0
}

// refresh shows the selected thread and call.
func (r *root) refresh() tea.Cmd {
	t := r.threadNow()
	if t == nil {
		return nil
	}
	r.call = min(max(r.call, 1), len(t.Calls)+1)
	r.tree.show(r.scene, r.thread, r.call)
	return r.form()
}

// goThread selects a thread, at its last call.
func (r *root) goThread(i int) tea.Cmd {
	if i == r.thread {
		return nil
	}
	r.thread = i
	r.call, r.chosen, r.follow = max(len(r.threadNow().Calls), 1), false, true
	r.clearSearch()
	return tea.Batch(r.refresh(), r.measureNow())
}

// goCall selects a call.
func (r *root) goCall(n int) tea.Cmd {
	last := len(r.threadNow().Calls) + 1
	n = min(max(n, 1), last)
	if n == r.call {
		r.note = "this is the first call"
		if n == last {
			r.note = "this is the call after the whole record"
		}
		return nil
	}
	r.call, r.chosen, r.follow = n, true, true
	return r.refresh()
}

// form forms the view that is wanted now. An earlier job that still runs ends.
func (r *root) form() tea.Cmd {
	t := r.threadNow()
	if t == nil {
		return nil
	}
	if r.stopForm != nil {
		r.stopForm()
	}
	ctx, stop := context.WithCancel(r.ctx)
	r.stopForm = stop
	r.gen++
	j := job{
		gen: r.gen, run: r.scene.run, thread: t, marks: r.scene.markers[r.thread], call: r.call, chain: r.chain.wanted(),
		sizes: r.sizes[t], window: r.window(), gate: r.cfg.Gate, had: r.replays,
		programs: r.programs(),
	}
	return safely(func() tea.Msg { return j.form(ctx) })
}

func (r *root) takeFormed(msg formed) {
	if msg.gen != r.gen {
		return
	}
	if msg.err != nil {
		if r.chain.edit != nil {
			r.chain.err = msg.err
		} else {
			r.note, r.noteText = "the view could not be formed: ", r.cfg.Gate.Line(oneLine(msg.err.Error()))
		}
		return
	}
	if msg.failed != nil {
		r.note, r.noteText = "the chain's program: ", r.cfg.Gate.Line(oneLine(msg.failed.Error()))
	}
	r.replays = msg.replays
	if r.msgs.shown == nil || r.msgs.shown.thread != msg.shown.thread {
		r.store.clear()
	}
	r.msgs.show(msg.shown)
	if r.follow {
		r.follow = false
		r.msgs.toHorizon()
	}
	if r.tail {
		r.tail = false
		r.msgs.toEnd()
	}
}

// measureNow counts the tokens of the thread that is shown, once.
func (r *root) measureNow() tea.Cmd {
	t, run := r.threadNow(), r.scene.run
	if t == nil || run.Partial || r.sizes[t] != nil {
		return nil
	}
	ctx := r.ctx
	return safely(func() tea.Msg { return measure(ctx, run, t) })
}

func (r *root) takeMeasured(msg measured) tea.Cmd {
	if msg.err != nil || msg.sizes == nil {
		return nil // figures stay estimates, and say so
	}
	r.sizes[msg.thread] = msg.sizes
	if msg.thread != r.threadNow() {
		return nil
	}
	return r.form()
}

// bodiesMsg is what was loaded for the screen.
type bodiesMsg struct {
	epoch  int
	asked  []want
	loaded []loaded
}

// fetch loads what the screen needs and does not have. While it still shows the
// thread before, that is nothing.
func (r *root) fetch() tea.Cmd {
	if r.crash != nil || r.msgs.shown == nil || r.lay.small || r.msgs.count == 0 || r.msgs.shown.thread != r.threadNow() {
		return nil
	}
	wants := r.msgs.wants()
	if len(wants) == 0 {
		return nil
	}
	rd := r.reader()
	epoch, ctx := r.store.epoch, r.ctx
	return safely(func() tea.Msg { return bodiesMsg{epoch, wants, rd.load(ctx, wants)} })
}

// colourNow colours what the screen shows plain, one command at a time.
func (r *root) colourNow() tea.Cmd {
	c := r.colours
	if c.hl == nil || c.busy || r.crash != nil || r.lay.small {
		return nil
	}
	c.frame = c.tick
	var list []colouring
	switch n := len(r.overlays); {
	case n > 0:
		list = r.overlays[n-1].uncoloured(c)
	case r.msgs.shown != nil && r.msgs.count > 0:
		list = r.msgs.uncoloured(c)
	}
	if len(list) == 0 {
		return nil
	}
	c.busy = true
	ctx, hl := r.ctx, c.hl
	return safely(func() tea.Msg { return colourAll(ctx, hl, list) })
}

func (r *root) takeBodies(msg bodiesMsg) {
	if msg.epoch != r.store.epoch {
		return
	}
	for _, w := range msg.asked {
		delete(r.store.pending, w)
	}
	for _, l := range msg.loaded {
		r.store.put(l)
	}
	if r.msgs.shown != nil {
		r.msgs.reveal(r.msgs.rows)
		r.seekHit()
	}
}

// typeSearch edits the search line.
func (r *root) typeSearch(k tea.KeyMsg) tea.Cmd {
	switch k.String() {
	case "esc", "ctrl+c":
		r.typing = nil
	case "enter":
		n := newNeedle(r.typing.String())
		r.typing = nil
		return r.find(n)
	default:
		r.typing.key(k)
	}
	return nil
}

// find begins a search.
func (r *root) find(n *needle) tea.Cmd {
	r.clearSearch()
	if n == nil || r.noView() != "" {
		return nil
	}
	ctx, stop := context.WithCancel(r.ctx)
	r.stopFind = stop
	r.finds++
	r.search = &search{needle: n, gen: r.finds, from: r.here(), seek: -1}
	r.msgs.needle = n
	seek := r.seeker()
	return safely(func() tea.Msg { return seek.from(ctx, 0) })
}

func (r *root) clearSearch() {
	if r.stopFind != nil {
		r.stopFind()
		r.stopFind = nil
	}
	r.search, r.msgs.needle = nil, nil
}

// takeHits takes over what a part of a search found and goes on.
func (r *root) takeHits(msg searchMsg) tea.Cmd {
	s := r.search
	if s == nil || msg.gen != s.gen {
		return nil
	}
	s.hits = append(s.hits, msg.hits...)
	s.done = msg.next < 0
	if msg.err != nil {
		s.failed = msg.err
	}
	if !s.jumped && len(s.hits) > 0 && (s.done || s.hits[len(s.hits)-1] >= s.from) {
		s.jumped = true
		r.goHit(s.from - 1)
	}
	if s.done {
		return nil
	}
	ctx, seek := r.ctx, r.seeker()
	return safely(func() tea.Msg { return seek.from(ctx, msg.next) })
}

// seeker looks for what is searched for now.
func (r *root) seeker() *seeker {
	return &seeker{r.reader(), r.search.needle, r.search.gen}
}

// reader reads for the screen as it is now.
func (r *root) reader() reader {
	return reader{run: r.scene.run, thread: r.threadNow(), gate: r.cfg.Gate, reveal: r.reveal, hl: r.colours.hl}
}

// here is the message at the cursor.
func (r *root) here() int {
	it := r.msgs.at()
	if it != nil && it.kind == messageItem {
		return int(it.index)
	}
	return r.msgs.shown.message(r.msgs.cursor.item)
}

// goHit goes to the first hit after message i.
func (r *root) goHit(i int) {
	if hit, ok := r.search.next(i, 1); ok {
		r.showHit(hit)
	}
}

func (r *root) jump(d int) {
	if hit, ok := r.search.next(r.here(), d); ok {
		r.showHit(hit)
	}
}

// showHit unfolds a message and puts the cursor on it.
func (r *root) showHit(i int) {
	if r.focus == threadsPane {
		r.toPane(historyPane)
	}
	at := r.msgs.shown.find(i)
	r.msgs.setOpen(&r.msgs.shown.items[at], true)
	r.msgs.goTo(at, r.msgs.rows)
	r.search.seek = i
	r.seekHit()
}

// seekHit goes to the line of a hit once its message is loaded.
func (r *root) seekHit() {
	if r.search == nil || r.search.seek < 0 {
		return
	}
	it := r.msgs.at()
	if it == nil || it.kind != messageItem || int(it.index) != r.search.seek {
		r.search.seek = -1 // the person went on
		return
	}
	w, _ := r.msgs.shown.want(it, false)
	if h := r.store.get(w.key); h == nil || !h.whole {
		return
	}
	r.search.seek = -1
	for i, l := range r.msgs.body(it, history) {
		if from, _ := r.search.needle.Find(l.text.String()[l.from:l.to]); from >= 0 {
			r.msgs.goToLine(place{r.msgs.cursor.item, i + 1}, r.msgs.rows)
			return
		}
	}
}

// tickMsg moves the progress line.
type tickMsg time.Time

func tickLater() tea.Cmd {
	return tea.Tick(100*time.Millisecond, func(t time.Time) tea.Msg { return tickMsg(t) })
}

func (r *root) tick() tea.Cmd {
	if r.loadErr != nil || r.scene != nil && !r.scene.run.Partial {
		return nil
	}
	return tickLater()
}
