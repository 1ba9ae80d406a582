package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"agentlens/internal/curate/tokens"
	"agentlens/internal/export"
	"agentlens/internal/model"
	"agentlens/internal/redact"
	"agentlens/internal/safe"
	"agentlens/internal/trace"
	"agentlens/internal/trace/ground/source"
	"agentlens/internal/ui/inspector"
	"agentlens/internal/ui/kit"
)

type showFlags struct {
	json                          bool
	thread, call, strategy, count string
	file                          string // of settings, instead of strategy
	document, theme               string
	noMouse, follow, linear       bool
	listed                        bool // the run was chosen from a list that is gone back to
	programs                      programFlags
}

func (a *app) show() *cobra.Command {
	var f showFlags
	cmd := &cobra.Command{
		Use:   "show <run>",
		Short: "Open a run in the inspector; print it as a transcript when piped",
		Long: `Open a run: the full history beside what the provider saw at each call.

<run> is a path, source#id, an id or its unique prefix, latest, demo, or - for
standard input. When standard output is no terminal a plain transcript is
printed.`,
		Args: oneRun,
		RunE: func(cmd *cobra.Command, args []string) error { return a.runShow(cmd.Context(), args[0], f) },
	}
	f.add(cmd)
	a.addWindow(cmd)
	return cmd
}

// demoCall is where the built-in run opens: the second call after its
// compaction, where what was lost is in sight.
const demoCall = 35

func (a *app) demo() *cobra.Command {
	var f showFlags
	cmd := &cobra.Command{
		Use: "demo", Short: "Open the built-in run", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runShow(cmd.Context(), "demo", f) },
	}
	f.add(cmd)
	a.addWindow(cmd)
	return cmd
}

func (f *showFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.json, "json", false, "print lens.run/1")
	flags.StringVar(&f.thread, "thread", "", "thread, by id or unique prefix")
	flags.StringVar(&f.call, "call", "", "call to start at: 1…n, first, last, next")
	flags.StringVar(&f.strategy, "strategy", "", "strategy chain to start with")
	strategyFileFlag(cmd, &f.file)
	flags.StringVar(&f.count, "tokens", "", "with --json, count by: exact (the model's tokenizer), "+strings.Join(tokens.Names(), ", "))
	flags.StringVar(&f.document, "document", "", "print one document of the run by name")
	flags.BoolVarP(&f.follow, "follow", "f", false, "show what is written to the source from now on")
	f.addScreen(flags)
	f.programs.add(flags)
}

// addScreen adds what says how the screen is.
func (f *showFlags) addScreen(flags *pflag.FlagSet) {
	flags.StringVar(&f.theme, "theme", "", strings.Join(kit.Themes(), ", ")+" (default auto)")
	flags.BoolVar(&f.linear, "linear", false, "numbered lines and a prompt, for screen readers (also LENS_LINEAR=1)")
	flags.BoolVar(&f.noMouse, "no-mouse", false, "leave the mouse to the terminal")
}

func (a *app) runShow(ctx context.Context, name string, f showFlags) error {
	g, _, err := a.gate(redact.Default)
	if err != nil {
		return err
	}
	go g.Line(name) // the rules of redaction are made ready while the run is opened
	if _, _, err = a.theme(f.theme); err != nil {
		return err
	}
	if f.strategy, err = a.chainOf(f.strategy, f.file); err != nil {
		return err
	}
	if err = a.fitting(f); err != nil {
		return err
	}
	if f.strategy != "" {
		chain, err := a.parse(f.strategy)
		if err != nil {
			return err
		}
		f.strategy = chain.String() // presets are the user's own: the inspector gets what they stand for
	}
	src, id, err := a.open(ctx, name)
	var several *trace.AmbiguousError
	choose := !f.json && f.document == "" && a.onTerminal()
	if errors.As(err, &several) && several.Folder && several.Name == "" && choose {
		return a.pickBelow(ctx, several.Source, f)
	}
	if err != nil {
		return err
	}
	if f.json && id == "" && f.document == "" {
		return a.showAll(ctx, g, src, f)
	}
	entry, err := src.Pick(id)
	if errors.As(err, &several) && choose {
		return a.pickFrom(ctx, src, f)
	}
	if err != nil {
		return err
	}
	if why := f.linearly(a.onTerminal()); why != "" && !f.json && f.document == "" {
		if name == "-" {
			return usageError{"--linear reads commands from standard input, which holds the run here; name a file"}
		}
		return a.inspectLinear(ctx, g, name, src, entry.ID, f, why)
	}
	if f.json || f.document != "" || !a.onTerminal() {
		run, err := a.read(ctx, src, entry.ID)
		if err != nil {
			return err
		}
		return a.print(g, run, f)
	}
	return a.inspect(ctx, g, name, src, entry.ID, f)
}

// fitting reports flags that go with another way to show a run than the one chosen.
func (a *app) fitting(f showFlags) error {
	plain := f.json || f.document != "" || !a.onTerminal() && !f.linear
	switch {
	case f.json && f.document != "":
		return usageError{"--json prints the run, --document one of its documents: name one of them"}
	case f.count != "" && !f.json:
		return usageError{"--tokens goes with --json; the inspector counts as the model does, where that is public"}
	case plain && f.linear:
		return usageError{"--linear opens the inspector, and goes with neither --json nor --document"}
	case plain && (f.call != "" || f.strategy != ""):
		return usageError{"--call and --strategy say where the inspector opens; to print one view: lens curate <run> --call … --strategy …"}
	case plain && a.window != "":
		return usageError{"--window is for the inspector; to print one view with it: lens curate <run> --window …"}
	case plain && f.follow:
		return usageError{"--follow needs a terminal to show it on"}
	case f.call == "all":
		return usageError{"--call all: the inspector opens at one call: a number, first, last or next"}
	}
	return nil
}

// linearly says what chose the linear mode, "" where nothing did: the flag always
// holds, the environment on a terminal.
func (f *showFlags) linearly(terminal bool) string {
	switch {
	case f.linear:
		return "--linear"
	case terminal && os.Getenv("LENS_LINEAR") != "":
		return "LENS_LINEAR"
	case terminal && os.Getenv("TERM") == "dumb": // of an editor's shell: nothing can be drawn there
		return "TERM=dumb"
	}
	return ""
}

func (a *app) inspectLinear(ctx context.Context, g *safe.Gate, name string, src *trace.Source, id string, f showFlags, why string) error {
	cfg, err := a.inspection(g, name, src, id, f)
	if err != nil {
		return err
	}
	in := a.in
	if !f.linear { // the environment chose it: it is for a person, not for commands from a pipe
		in = a.keyboard()
	}
	return inspector.Linear(ctx, cfg, in, a.out, why)
}

// inspect opens a run of a source in the inspector.
func (a *app) inspect(ctx context.Context, g *safe.Gate, name string, src *trace.Source, id string, f showFlags) error {
	if why := f.linearly(true); why != "" {
		return a.inspectLinear(ctx, g, name, src, id, f, why)
	}
	cfg, err := a.inspection(g, name, src, id, f)
	if err != nil {
		return err
	}
	return inspector.Run(ctx, cfg)
}

// inspection is what the inspector is told to open.
func (a *app) inspection(g *safe.Gate, name string, src *trace.Source, id string, f showFlags) (inspector.Config, error) {
	call := 0
	if name == "demo" {
		call = demoCall
	}
	var err error
	if f.call != "" {
		if call, err = callNumber(f.call, 1<<30); err != nil {
			return inspector.Config{}, err
		}
		if f.call == "last" {
			call = -1
		}
	}
	load := func(ctx context.Context, opt source.Options) (*model.Run, error) { return src.Load(ctx, id, opt) }
	var changed func(context.Context) bool
	if f.follow {
		a.follow = &follower{path: src.Path(), id: id, src: src}
		load, changed = a.follow.load, a.follow.changed
	}
	own, err := a.settings()
	if err != nil {
		return inspector.Config{}, err
	}
	theme, palette, err := a.theme(f.theme)
	if err != nil {
		return inspector.Config{}, err
	}
	windows, prices, err := a.facts()
	if err != nil {
		return inspector.Config{}, err
	}
	return inspector.Config{
		Runner: a.programs(f.programs, nil), Mask: mask{g}, Unmasked: f.programs.unmasked,
		Name: name,
		Load: load, Changed: changed,
		Gate: g, Thread: f.thread, Call: call, Chain: f.strategy, Window: windows.Of, WindowSaid: windows.Said, Prices: prices, Presets: own.OwnPresets(),
		Theme: theme, Palette: palette, NoMouse: f.noMouse, In: a.keyboard(), Out: os.Stdout, Listed: f.listed, Save: saveText, Export: a.exporter, Open: a.anotherOf(src.Path()), Keep: a.keepPreset,
	}, nil
}

// anotherOf is another, which takes the other runs of a source by their ids alone, too.
func (a *app) anotherOf(path string) func(ctx context.Context, name string) (*model.Run, func(), error) {
	return func(ctx context.Context, name string) (*model.Run, func(), error) {
		run, done, err := a.another(ctx, name)
		if err != nil && path != "" && !strings.Contains(name, "#") {
			if run, done, err2 := a.another(ctx, path+"#"+name); err2 == nil {
				return run, done, nil
			}
		}
		return run, done, err
	}
}

// another opens one more run by name, from within the inspector. Nothing is printed,
// and standard input is the keyboard there.
func (a *app) another(ctx context.Context, name string) (*model.Run, func(), error) {
	if name == "-" {
		return nil, nil, errors.New("standard input is the keyboard here: name a path, an id, latest or demo")
	}
	silent := &app{in: strings.NewReader(""), out: &output{Writer: io.Discard}, err: io.Discard, own: a.own, table: a.table}
	run, err := silent.load(ctx, name)
	if err != nil {
		silent.close()
		return nil, nil, err
	}
	return run, silent.close, nil
}

// saveText writes a text a person copied to a new file that only they can read.
func saveText(text safe.Safe) (path string, err error) {
	f, err := os.CreateTemp("", "lens-*.txt")
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text.String() + "\n")
	return f.Name(), errors.Join(err, f.Close())
}

// showAll prints every run of a source, one line each.
func (a *app) showAll(ctx context.Context, g *safe.Gate, src *trace.Source, f showFlags) error {
	for _, e := range src.Entries {
		run, err := a.read(ctx, src, e.ID)
		if err != nil {
			return err
		}
		if err := a.print(g, run, f); err != nil {
			return err
		}
	}
	return nil
}

// print writes a run as JSON, one of its documents, or a transcript.
func (a *app) print(g *safe.Gate, run *model.Run, f showFlags) error {
	if f.document != "" {
		return a.printDocument(g, run, f.document)
	}
	if !f.json {
		t, err := a.thread(run, f.thread)
		if err != nil {
			return err
		}
		return export.Transcript(a.out, g, &export.Work{Run: run, Threads: []*model.Thread{t}})
	}
	var only *model.Thread
	if f.thread != "" {
		t, err := a.thread(run, f.thread)
		if err != nil {
			return err
		}
		only = t
	}
	count, err := a.counter(run, f.count)
	if err != nil {
		return err
	}
	return export.WriteRun(a.out, g, run, only, count)
}

// counter is what --tokens of a run names; without it, the estimate.
func (a *app) counter(run *model.Run, name string) (tokens.Counter, error) {
	switch name {
	case "":
		return tokens.Estimate{}, nil
	case exact:
		modelName := first(run.Models())
		a.warnInexact(modelName)
		return tokens.Memo(tokens.For(modelName)), nil
	}
	c, err := tokens.Named(name)
	if err != nil {
		return nil, usageError{fmt.Sprintf("--tokens %s: want %s, %s", name, exact, strings.Join(tokens.Names(), ", "))}
	}
	return tokens.Memo(c), nil
}

func (a *app) printDocument(g *safe.Gate, run *model.Run, name string) error {
	for _, d := range run.Documents {
		if d.Name != name {
			continue
		}
		for _, ref := range append([]model.Ref{d.Body}, d.More...) {
			text, err := run.Body(ref)
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintln(a.out, g.Text(text)); err != nil {
				return err
			}
		}
		return nil
	}
	return notFound{fmt.Sprintf("run %s has no document %q; `lens show … --json` lists them", run.ID, name)}
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}
