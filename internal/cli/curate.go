package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"agentlens/internal/curate"
	"agentlens/internal/curate/task"
	"agentlens/internal/export"
	"agentlens/internal/model"
	"agentlens/internal/redact"
	"agentlens/internal/safe"
)

type curateFlags struct {
	strategy, call, thread, as, against string
	file                                string // of settings, instead of strategy
	turns                               string // of flujo, to rebuild the history by
	render                              string
	json, brief, events                 bool
	programs                            programFlags
}

func (a *app) curate() *cobra.Command {
	var f curateFlags
	cmd := &cobra.Command{
		Use:   "curate <run>",
		Short: "One view, explained: what a strategy would have sent at a call",
		Long: `Print what the provider was given at one call, message by message, each with its
fate and the reason. With --strategy the view is simulated; without it, it is
the recorded or reconstructed one, and "not recorded" with exit code 1 when the
record tells neither.

  lens curate run.jsonl --strategy 'truncate_tool_results(1000) | sliding_window(50)' --call 37
  lens curate run.jsonl --strategy 'sliding_window(10)' --call all --json --brief
  lens curate run.jsonl --strategy 'sliding_window(10)' --as openai`,
		Args: oneRun,
		RunE: func(cmd *cobra.Command, args []string) error { return a.runCurate(cmd.Context(), args[0], f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.strategy, "strategy", "", "strategy chain; lens strategies lists them")
	strategyFileFlag(cmd, &f.file)
	flags.StringVar(&f.call, "call", "", "call: 1…n, first, last, next (after the record; the default) or all")
	flags.StringVar(&f.thread, "thread", "", "thread, by id or unique prefix")
	flags.StringVar(&f.render, "render", "", "print the view as the one text a prompt holds: flujo, task or task-section")
	flags.StringVar(&f.turns, "turns", "", "flujo: rebuild the history from step results: ai=last|all_agents|[step, …], user=hitl|[step, …]")
	flags.StringVar(&f.as, "as", "", "print the request messages: "+strings.Join(export.Forms(), ", "))
	flags.StringVar(&f.against, "against", "", "recorded: hold the simulated view to the recorded one")
	a.addCount(cmd)
	flags.BoolVar(&f.json, "json", false, "print lens.view/1; one line per call with --call all")
	flags.BoolVar(&f.brief, "brief", false, "leave the messages out")
	flags.BoolVar(&f.events, "events", false, "print HistoryCurated events, one JSON line per recorded call")
	f.programs.add(flags)
	return cmd
}

// replayed is a chain, or the record, run over a thread.
type replayed struct {
	run    *model.Run
	thread *model.Thread
	in     curate.Input
	*curate.Replayed
	strategy string
	about    string // what its history is, where it is not the recorded one
}

// replay opens a run and replays a chain over a thread of it; an empty chain is
// the recorded view. Programs of the chain are run for the one call that is asked
// for, or for all of them.
func (a *app) replay(ctx context.Context, g *safe.Gate, name string, f curateFlags) (*replayed, error) {
	var chain curate.Chain
	if f.strategy != "" {
		var err error
		if chain, err = a.parse(f.strategy); err != nil {
			return nil, err
		}
	}
	run, err := a.load(ctx, name)
	if err != nil {
		return nil, err
	}
	t, err := a.thread(run, f.thread)
	if err != nil {
		return nil, err
	}
	return a.replayThread(ctx, g, run, t, chain, f)
}

// replayThread replays a chain over a thread; nil is the recorded view.
func (a *app) replayThread(ctx context.Context, g *safe.Gate, run *model.Run, t *model.Thread, chain curate.Chain, f curateFlags) (*replayed, error) {
	var err error
	r := &replayed{run: run, thread: t, strategy: chain.String()}
	if r.in, err = a.input(ctx, run, t); err != nil {
		return nil, err
	}
	r.in.Runner, r.in.Mask, r.in.Unmasked = a.programs(f.programs, chain), mask{g}, f.programs.unmasked
	if f.call != "all" {
		if r.in.Only, err = callNumber(f.call, len(t.Calls)); err != nil {
			return nil, err
		}
	}
	if chain == nil {
		r.in.Only = 0
		r.Replayed, err = curate.Recorded(ctx, r.in)
	} else {
		r.Replayed, err = curate.Replay(ctx, r.in, chain)
	}
	return r, err
}

// known is the number of the call that a person names, where its view is known.
func (r *replayed) known(call string) (int, error) {
	n, err := callNumber(call, r.Calls())
	if err == nil && !r.Has(n) {
		err = notFound{fmt.Sprintf("%s: not recorded; try a what-if: --strategy passthrough", callName(n, r.Calls()))}
	}
	return n, err
}

// view is the view of a call; a brief one has no messages.
func (r *replayed) view(call int, brief bool) *model.View {
	if brief {
		return r.Brief(call)
	}
	return r.View(call)
}

// callName says which call is meant: "call 7 of 12", or the one after the record.
func callName(n, calls int) string {
	if n > calls {
		return fmt.Sprintf("the next call (%d)", n)
	}
	return fmt.Sprintf("call %d of %d", n, calls)
}

func (a *app) runCurate(ctx context.Context, name string, f curateFlags) error {
	var err error
	if f.strategy, err = a.chainOf(f.strategy, f.file); err != nil {
		return err
	}
	if f.render != "" {
		return a.curateRendered(ctx, name, f)
	}
	switch {
	case f.as != "" && !slices.Contains(export.Forms(), f.as):
		return usageError{fmt.Sprintf("--as %s: want %s", f.as, strings.Join(export.Forms(), ", "))}
	case f.against != "" && f.against != "recorded":
		return usageError{fmt.Sprintf("--against %s: want recorded", f.against)}
	case f.against != "" && f.strategy == "":
		return usageError{"--against needs a --strategy to hold against the record"}
	case f.as != "" && f.json:
		return usageError{"--as prints the request messages, --json the view: name one of them"}
	case f.brief && (f.as != "" || f.against != "" || f.events):
		return usageError{"--brief leaves the messages of a view out, and goes with none of --as, --against and --events"}
	case f.events && (f.strategy == "" || f.as != "" || f.against != ""):
		return usageError{"--events prints what a --strategy would do at each call, and goes with neither --as nor --against"}
	case f.call == "all" && (f.as != "" || f.against != ""):
		return usageError{"--call all goes with neither --as nor --against"}
	}
	g, _, err := a.gate(redact.Default)
	if err != nil {
		return err
	}
	r, err := a.replayTurns(ctx, g, name, f)
	if err != nil {
		return err
	}
	if f.events {
		return a.curatedEvents(ctx, g, r, f)
	}
	if f.call == "all" {
		return a.curateAll(ctx, g, r, f)
	}
	n, err := r.known(f.call)
	if err != nil {
		return err
	}
	v := r.view(n, f.brief && f.against == "" && f.as == "")
	switch {
	case f.against != "":
		return a.against(ctx, g, r, v, f)
	case f.as != "":
		return a.curateAs(g, r, v, f.as)
	case f.json:
		return a.viewJSON(g, r, v, f.brief)
	}
	return a.viewText(g, r, v, f.brief)
}

// curateAs prints the request messages of a view, and says what they do not carry over.
func (a *app) curateAs(g *safe.Gate, r *replayed, v *model.View, form string) error {
	data, losses, err := export.Request(form, g, r.run, r.thread, v)
	if err != nil {
		return err
	}
	a.sayLost(losses)
	if _, err = a.out.Write(data); err != nil {
		return err
	}
	a.masked(g.Found())
	return nil
}

// curateAll prints every call, the next one included, as JSON lines.
func (a *app) curateAll(ctx context.Context, g *safe.Gate, r *replayed, f curateFlags) error {
	known := false
	for n := 1; n <= r.Calls()+1; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !r.Has(n) {
			continue
		}
		known = true
		if err := a.viewJSON(g, r, r.view(n, f.brief), f.brief); err != nil {
			return err
		}
	}
	if !known {
		return notFound{"not recorded at any call; try a what-if: --strategy passthrough"}
	}
	return nil
}

// curatedEvents prints the HistoryCurated event of one call, or of all that are recorded.
func (a *app) curatedEvents(ctx context.Context, g *safe.Gate, r *replayed, f curateFlags) error {
	first, last := 1, r.Calls()
	if f.call != "" && f.call != "all" {
		n, err := callNumber(f.call, r.Calls())
		if err != nil {
			return err
		}
		first, last = n, n
	}
	if last < first {
		return notFound{"the thread has no recorded provider call; --call next is the one after the record"}
	}
	lines := json.NewEncoder(a.out)
	for n := first; n <= last; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := lines.Encode(export.Curated(g, r.run, r.thread, r.Replayed, n)); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) viewJSON(g *safe.Gate, r *replayed, v *model.View, brief bool) error {
	row, err := export.View(g, r.run, r.thread, v, r.strategy, brief)
	if err != nil {
		return err
	}
	return json.NewEncoder(a.out).Encode(row)
}

// viewText prints a view as a table for a person.
func (a *app) viewText(g *safe.Gate, r *replayed, v *model.View, brief bool) error {
	about := ""
	if v.Estimated {
		about = "~"
	}
	fmt.Fprintf(a.out, "%s · %s · %s\n", g.Line(r.run.ID), callName(v.Call, r.Calls()), v.Basis)
	fmt.Fprintf(a.out, "%s\n", g.Line(v.Note))
	a.flujoCaption(r, v)
	fmt.Fprintf(a.out, "%d messages, %s%s tokens → %d messages, %s%s tokens\n", v.Original.Messages, about, comma(v.Original.Tokens), v.Curated.Messages, about, comma(v.Curated.Tokens))
	if !r.in.Sizes.Exact {
		beside := ""
		if rest := r.in.Sizes.Beside; rest > 0 {
			beside = fmt.Sprintf("; prompts hold ~%s tokens beside the messages", comma(rest))
		}
		fmt.Fprintf(a.out, "counted by %s%s\n", g.Line(r.in.Sizes.Method), beside)
	}
	if len(v.Stages) > 1 {
		for _, s := range v.Stages {
			fmt.Fprintf(a.out, "  after %s: %d messages, %s%s tokens\n", g.Line(s.Stage), s.Messages, about, comma(s.Tokens))
		}
	}
	if err := a.pressure(r, v); err != nil {
		return err
	}
	if v.PrefixBreak >= 0 {
		fmt.Fprintf(a.out, "prompt prefix: %d messages as at the call before; it breaks at message %d\n", v.PrefixKept, v.PrefixBreak)
	}
	for _, p := range v.Problems {
		fmt.Fprintf(a.out, "! %s: %s\n", p.Rule, g.Line(p.Message))
	}
	if brief {
		return nil
	}
	fmt.Fprintln(a.out)
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	for i := range v.Entries {
		e := &v.Entries[i]
		text, err := previewOf(g, r, e)
		if err != nil {
			return err
		}
		index, size := "+", comma(int64(e.Tokens))
		if e.Index >= 0 {
			index = fmt.Sprint(e.Index)
		}
		switch e.Fate {
		case model.WasDropped:
			size = "−" + comma(int64(e.WasTokens))
		case model.WasChanged:
			size = comma(int64(e.WasTokens)) + "→" + size
		}
		reason := g.Line(e.Reason).String()
		if reason != "" {
			reason = "  (" + reason + ")"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s%s\n", index, e.Fate, e.Role, size, text, reason)
	}
	return w.Flush()
}

// pressure says how full the context window is at the call of a view, and what was
// counted for it.
func (a *app) pressure(r *replayed, v *model.View) error {
	windows, err := a.windows()
	if err != nil {
		return err
	}
	window := windows.At(r.thread)(v.Call)
	if window == 0 {
		return nil
	}
	c, about, what := v.Context, "~", "the messages alone"
	switch {
	case c.Counted:
		about, what = "", comma(c.Tokens)+" counted by the provider"
	case c.Beside > 0:
		what = fmt.Sprintf("the messages and ~%s beside them", comma(c.Beside))
	case !v.Estimated:
		about = ""
	}
	share := 100 * float64(c.Tokens) / float64(window)
	_, err = fmt.Fprintf(a.out, "context pressure: %s%.0f%% of %s tokens (%s), %s\n", about, share, comma(window), what, task.PressureOf(c.Tokens, window).Recommendation)
	return err
}

// previewLen is how much of a text a table row shows, in code points.
const previewLen = 56

func previewOf(g *safe.Gate, r *replayed, e *model.Entry) (string, error) {
	if e.Index < 0 {
		return g.PreviewPieces("", e.Text, previewLen).String(), nil
	}
	m := r.thread.At(int(e.Index))
	text, err := r.run.Text(m)
	if err != nil {
		return "", err
	}
	var names []string
	for _, j := range export.LeftCalls(m, e) {
		names = append(names, "→ "+m.Calls[j].Name)
	}
	calls := g.Line(strings.Join(names, " ")).String()
	if text == "" {
		return calls, nil
	}
	if calls != "" {
		calls = "  " + calls
	}
	if e.Fate == model.WasChanged {
		return g.PreviewPieces(text, e.Text, previewLen).String() + calls, nil
	}
	return g.Preview(text, previewLen).String() + calls, nil
}
