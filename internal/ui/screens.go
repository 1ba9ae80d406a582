package ui

import (
	"context"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/curate"
	"agentlens/internal/export"
)

// openMessage opens the message under the cursor, as the focused side shows it.
// A marker has no text: there it is why it stands.
func (r *root) openMessage() tea.Cmd {
	if it := r.msgs.at(); it != nil && (it.kind == markerItem || it.kind == horizonItem) {
		return r.openInfo()
	}
	if r.scene == nil {
		return nil
	}
	form := slices.Index(export.Forms(), export.FormOf(r.scene.run.Format, r.modelOf()))
	return r.openDetail(textTab, max(form, 0))
}

func (r *root) openDetail(tab, form int) tea.Cmd {
	w, title, ok := r.wantAtCursor()
	if !ok {
		return nil
	}
	if w.message != nil {
		title += " · " + words(w.message.Role.String())
	}
	t := r.msgs.shown.thread
	src := &detailSource{reader: r.readerOf(t), want: w, item: *r.msgs.at(), shown: r.msgs.shown, forms: export.Forms(), isPiece: w.message == nil, prices: r.cfg.Prices}
	if r.replays != nil {
		src.replay = r.replays.recorded
		if r.chain.wanted() != "" && r.replays.chained != nil {
			src.replay = r.replays.chained
		}
	}
	if m := w.message; m != nil && m.Call > 0 && int(m.Call) <= len(t.Calls) {
		src.call = &t.Calls[m.Call-1]
	}
	d := &detail{title: title, src: src, at: tab, form: form}
	return r.opening("opening…", "", func(context.Context) (overlay, error) {
		d.tabs[tab] = src.tab(tab, form)
		return d, nil
	})
}

// openAgain opens the message that the cursor goes to.
func (r *root) openAgain(i detailIntent) tea.Cmd {
	if i.by != 0 {
		r.msgs.moveItem(i.by, r.msgs.rows)
	}
	cmd := r.openDetail(i.tab, i.form)
	if cmd == nil && i.by != 0 {
		r.note = "here is a marker, no message"
	}
	return cmd
}

// openDiff compares, in a command, what the mode asks for.
func (r *root) openDiff(i diffIntent) tea.Cmd {
	if last := len(r.threadNow().Calls); i.mode == callAgainstNext && i.call > last {
		if last == 0 {
			r.note = "there is no call to compare with the next"
			return nil
		}
		i.call, i.other = last, last+1
	}
	return r.diffCalls(i.mode, i.call, i.other)
}

// calls are the call that is shown and the last there is: the one after the record.
func (r *root) calls() (here, last int) {
	if t := r.threadNow(); t != nil {
		return r.call, len(t.Calls) + 1
	}
	return r.call, 0
}

// diffCalls compares a call: with another, where the mode asks for one.
func (r *root) diffCalls(mode diffMode, call, other int) tea.Cmd {
	q := r.query(r.threadNow(), call)
	rd, marks := r.reader(), !r.th.coloured
	return r.opening("comparing…", notComparable, func(ctx context.Context) (overlay, error) {
		v, err := diffOf(ctx, q, rd, mode, other)
		if v != nil {
			v.marks, v.calls = marks, r.calls
		}
		return v, err
	})
}

func (r *root) noOtherRun() words {
	if r.cfg.Open == nil {
		return "no other run can be opened here"
	}
	return r.noView()
}

// typedDiff compares this call with another, or this run with another.
func (r *root) typedDiff(arg string) tea.Cmd {
	if name, ok := strings.CutPrefix(arg, "call "); ok {
		n, ok := callNamed(strings.TrimSpace(name), len(r.threadNow().Calls))
		switch {
		case !ok:
			r.note = noCallNamed(name, len(r.threadNow().Calls))
			return nil
		case n == r.call:
			r.note = "that is the call that is shown: [ and ] go to another"
			return nil
		}
		return r.diffCalls(callAgainstCall, r.call, n)
	}
	if why := r.noOtherRun(); why != "" {
		r.note = why
		return nil
	}
	return r.diffRun(otherRun{name: arg, typed: ":diff"})
}

// diffRun opens another run and compares, in a command.
func (r *root) diffRun(other otherRun) tea.Cmd {
	a, open, marks := r.readerOf(r.msgs.shown.thread), r.cfg.Open, !r.th.coloured
	tokens := r.msgs.shown.tokens
	return r.opening("reading…", notComparable, func(ctx context.Context) (overlay, error) {
		v, err := diffRuns(ctx, a, tokens, other, open)
		if v != nil {
			v.marks, v.calls = marks, r.calls
		}
		return v, err
	})
}

func (r *root) noCompare() words {
	switch {
	case r.noView() != "":
		return r.noView()
	case len(r.threadNow().Calls) == 0:
		return "this thread has no provider calls to compare over"
	case r.scene.run.Partial:
		return "the run is still being read"
	}
	return ""
}

// openCompare shows the table and begins to fill it.
func (r *root) openCompare() tea.Cmd {
	v := r.newCompare()
	r.push(v)
	return v.scoreNext(r)
}

// newCompare makes a table of the record, the chains tried and the named ones.
func (r *root) newCompare() *compareView {
	s := r.msgs.shown
	v := &compareView{
		sort:  -1,
		title: "compare · " + plural(len(s.thread.Calls), "call") + " of this thread",
		contest: contest{
			in:      curate.Input{Run: r.scene.run, Thread: s.thread, Sizes: r.replays.sizes, Texts: r.replays.sizes.Counted(), Window: r.window(), Mask: r.cfg.Mask},
			call:    s.call,
			presets: r.cfg.Presets, prices: r.cfg.Prices, gated: r.chain.gated,
		},
	}
	add := func(chain string, name words) {
		if !slices.ContainsFunc(v.rows, func(c contender) bool { return c.chain == chain }) {
			v.rows = append(v.rows, contender{chain: chain, told: v.gated(chain), name: name, now: chain == s.chain})
		}
	}
	add("", "as recorded")
	add("passthrough", "all of it")
	for _, chain := range slices.Backward(r.tried.list) {
		add(chain, "")
	}
	for _, p := range slices.Concat(r.cfg.Presets, curate.Presets()) {
		if chain, err := curate.ParseWith(p.Chain, r.cfg.Presets); err == nil {
			add(chain.String(), words(p.Name))
		}
	}
	v.cursor = max(slices.IndexFunc(v.rows, func(c contender) bool { return c.now }), 0)
	return v
}

// showChain shows a chain that was chosen, "" for the record.
func (r *root) showChain(chain string) tea.Cmd {
	r.chain.text, r.chain.aside = chain, false
	r.note = "the record is shown"
	if chain != "" {
		r.note = "v shows the record again, ( and ) the chains tried"
	}
	return r.form()
}
