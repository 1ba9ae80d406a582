package inspector

import (
	"context"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/curate"
	"agentlens/internal/export/request"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/screens/compare"
	"agentlens/internal/ui/screens/diff"
	"agentlens/internal/ui/screens/message"
	"agentlens/internal/ui/view"
)

// openMessage opens the message under the cursor, as the focused side shows it.
// A marker has no text: there it is why it stands.
func (r *inspector) openMessage() tea.Cmd {
	if it := r.msgs.At(); it != nil && (it.Kind == view.MarkerItem || it.Kind == view.HorizonItem) {
		return r.openInfo()
	}
	if r.scene == nil {
		return nil
	}
	form := slices.Index(request.Names(), request.FormOf(r.scene.Run.Format, r.modelOf()))
	return r.openDetail(message.TextTab, max(form, 0))
}

func (r *inspector) openDetail(tab, form int) tea.Cmd {
	w, title, ok := r.wantAtCursor()
	if !ok {
		return nil
	}
	if w.Message != nil {
		title += " · " + kit.Words(w.Message.Role.String())
	}
	t := r.msgs.Shown.Thread
	src := &message.Source{Reader: r.readerOf(t), Request: w, Item: *r.msgs.At(), Shown: r.msgs.Shown, Forms: request.Names(), IsPiece: w.Message == nil, Prices: r.cfg.Prices}
	if r.replays != nil {
		src.Replay = r.replays.Recorded
		if r.chain.wanted() != "" && r.replays.Chained != nil {
			src.Replay = r.replays.Chained
		}
	}
	if m := w.Message; m != nil && m.Call > 0 && int(m.Call) <= len(t.Calls) {
		src.Call = &t.Calls[m.Call-1]
	}
	d := &message.Message{Title: title, Src: src, At: tab, Form: form}
	return r.opening("opening…", "", func(context.Context) (kit.Screen, error) {
		d.Tabs[tab] = src.Tab(tab, form)
		return d, nil
	})
}

// openAgain opens the message that the cursor goes to.
func (r *inspector) openAgain(i message.Open) tea.Cmd {
	if i.By != 0 {
		r.msgs.MoveItem(i.By, r.msgs.Rows)
	}
	cmd := r.openDetail(i.Tab, i.Form)
	if cmd == nil && i.By != 0 {
		r.note = "here is a marker, no message"
	}
	return cmd
}

// openDiff compares, in a command, what the mode asks for.
func (r *inspector) openDiff(i diff.Open) tea.Cmd {
	if last := len(r.threadNow().Calls); i.Mode == diff.CallAgainstNext && i.Call > last {
		if last == 0 {
			r.note = "there is no call to compare with the next"
			return nil
		}
		i.Call, i.Other = last, last+1
	}
	return r.diffCalls(i.Mode, i.Call, i.Other)
}

// calls are the call that is shown and the last there is: the one after the record.
func (r *inspector) calls() (here, last int) {
	if t := r.threadNow(); t != nil {
		return r.call, len(t.Calls) + 1
	}
	return r.call, 0
}

// diffCalls compares a call: with another, where the mode asks for one.
func (r *inspector) diffCalls(mode diff.Mode, call, other int) tea.Cmd {
	q := r.query(r.threadNow(), call)
	rd, marks := r.reader(), !r.th.Coloured
	return r.opening("comparing…", diff.NotComparable, func(ctx context.Context) (kit.Screen, error) {
		v, err := diff.Of(ctx, q, rd, mode, other)
		if v != nil {
			v.Marks, v.Calls = marks, r.calls
		}
		return v, err
	})
}

func (r *inspector) noOtherRun() kit.Words {
	if r.cfg.Open == nil {
		return "no other run can be opened here"
	}
	return r.noView()
}

// typedDiff compares this call with another, or this run with another.
func (r *inspector) typedDiff(arg string) tea.Cmd {
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
		return r.diffCalls(diff.CallAgainstCall, r.call, n)
	}
	if why := r.noOtherRun(); why != "" {
		r.note = why
		return nil
	}
	return r.diffRun(diff.OtherRun{Name: arg, Typed: ":diff"})
}

// diffRun opens another run and compares, in a command.
func (r *inspector) diffRun(other diff.OtherRun) tea.Cmd {
	a, open, marks := r.readerOf(r.msgs.Shown.Thread), r.cfg.Open, !r.th.Coloured
	tokens := r.msgs.Shown.Tokens
	return r.opening("reading…", diff.NotComparable, func(ctx context.Context) (kit.Screen, error) {
		v, err := diff.Runs(ctx, a, tokens, other, open)
		if v != nil {
			v.Marks, v.Calls = marks, r.calls
		}
		return v, err
	})
}

func (r *inspector) noCompare() kit.Words {
	switch {
	case r.noView() != "":
		return r.noView()
	case len(r.threadNow().Calls) == 0:
		return "this thread has no provider calls to compare over"
	case r.scene.Run.Partial:
		return "the run is still being read"
	}
	return ""
}

// openCompare shows the table and begins to fill it.
func (r *inspector) openCompare() tea.Cmd {
	v := r.newCompare()
	r.Push(v)
	return v.ScoreNext(r)
}

// newCompare makes a table of the record, the chains tried and the named ones.
func (r *inspector) newCompare() *compare.Table {
	s := r.msgs.Shown
	v := &compare.Table{
		Sort:  -1,
		Title: "compare · " + kit.Plural(len(s.Thread.Calls), "call") + " of this thread",
		Scorer: compare.Scorer{
			In:      curate.Input{Run: r.scene.Run, Thread: s.Thread, Sizes: r.replays.Sizes, Texts: r.replays.Sizes.Counted(), Window: r.window(), Mask: r.cfg.Mask},
			Call:    s.Call,
			Presets: r.cfg.Presets, Prices: r.cfg.Prices, Gated: r.chain.gated,
		},
	}
	add := func(chain string, name kit.Words) {
		if !slices.ContainsFunc(v.Rows, func(c compare.Candidate) bool { return c.Chain == chain }) {
			v.Rows = append(v.Rows, compare.Candidate{Chain: chain, ChainWords: v.Gated(chain), Name: name, Now: chain == s.Chain})
		}
	}
	add("", "as recorded")
	add("passthrough", "all of it")
	for _, chain := range slices.Backward(r.tried.list) {
		add(chain, "")
	}
	for _, p := range slices.Concat(r.cfg.Presets, curate.Presets()) {
		if chain, err := curate.ParseWith(p.Chain, r.cfg.Presets); err == nil {
			add(chain.String(), kit.Words(p.Name))
		}
	}
	v.Cursor = max(slices.IndexFunc(v.Rows, func(c compare.Candidate) bool { return c.Now }), 0)
	return v
}

// showChain shows a chain that was chosen, "" for the record.
func (r *inspector) showChain(chain string) tea.Cmd {
	r.chain.text, r.chain.aside = chain, false
	r.note = "the record is shown"
	if chain != "" {
		r.note = "v shows the record again, ( and ) the chains tried"
	}
	return r.Form()
}
