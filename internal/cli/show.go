package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"agentlens/internal/cli/args"
	"agentlens/internal/cli/bounds"
	"agentlens/internal/cli/failure"
	"agentlens/internal/cli/help"
	"agentlens/internal/cli/output"
	"agentlens/internal/cli/programs"
	"agentlens/internal/cli/session"
	"agentlens/internal/curate/tokens"
	"agentlens/internal/export"
	"agentlens/internal/library/filter"
	"agentlens/internal/model"
	"agentlens/internal/redact"
	"agentlens/internal/safe"
	"agentlens/internal/trace"
	"agentlens/internal/trace/ground/source"
	"agentlens/internal/ui/inspection"
	"agentlens/internal/ui/inspector"
	"agentlens/internal/ui/linear"
)

type showFlags struct {
	json, requests, findings      bool
	thread, call, strategy, count string
	file                          string // a settings file that holds the strategy
	document, theme               string
	noMouse, follow, linear       bool
	listed                        bool   // the run was picked from a list, which is shown again afterwards
	against                       string // the run to compare with at once
	message                       int    // to begin at, from 1; 0 begins at the call
	find                          string // searched from there
	programs                      programs.Options
	roles, badges                 []string
	tool, step                    string
	filter                        string
	only                          *filter.Filter // of the five flags before; nil without them
	length                        bounds.Flags
	within                        bounds.Bounds // of length
}

func newShow(s *session.Session) *cobra.Command {
	var f showFlags
	cmd := &cobra.Command{
		Use:  "show <run>",
		Args: args.RunOrInput(s),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runShow(cmd.Context(), s, cmp.Or(append(args, "-")...), f)
		},
	}
	f.Add(s, cmd)
	f.addSelection(cmd.Flags())
	addWindow(s, cmd)
	return cmd
}

// addSelection adds the flags that choose messages of the transcript and of the JSON.
func (f *showFlags) addSelection(flags *pflag.FlagSet) {
	flags.StringSliceVar(&f.roles, "role", nil, "")
	flags.StringVar(&f.tool, "tool", "", "")
	flags.StringVar(&f.step, "step", "", "")
	flags.StringVar(&f.filter, "filter", "", "")
	flags.BoolVar(&f.findings, "findings", false, "")
	f.length.Add(flags)
	flags.StringSliceVar(&f.badges, "badge", nil, "")
}

// selection returns the filter of the flags that choose messages, or nil for all.
func (f *showFlags) selection(s *session.Session) (only *filter.Filter, err error) {
	for _, name := range f.roles {
		if _, ok := roleNamed(name); !ok {
			return nil, failure.Usagef(unknownRole, name)
		}
	}
	var terms [][]string // each a key and its values
	for _, name := range f.badges {
		if !slices.ContainsFunc(model.AllBadges(), func(b model.Badge) bool { return b.String() == name }) {
			return nil, failure.Usagef(unknownBadge, name, help.Badges())
		}
		terms = append(terms, []string{"badge", name})
	}
	if f.roles != nil {
		terms = append(terms, append([]string{"role"}, f.roles...))
	}
	for _, one := range [][]string{{"tool", f.tool}, {"step", f.step}} {
		if one[1] != "" {
			terms = append(terms, one)
		}
	}
	for _, t := range terms {
		next, err := filter.Of(t[0], t[1:]...)
		if err != nil {
			return nil, failure.Usage(err.Error())
		}
		only = only.And(next)
	}
	if f.filter == "" {
		return only, nil
	}
	own, err := s.Settings()
	if err != nil {
		return nil, err
	}
	typed, err := filter.Parse(f.filter, own.OwnFilters())
	if err != nil {
		return nil, failure.Usagef(invalidFilter, f.filter, err)
	}
	return only.And(typed), nil
}

// roleNamed returns the role with the given name, spelt as in lens output.
func roleNamed(name string) (model.Role, bool) {
	for _, role := range []model.Role{model.System, model.User, model.Assistant, model.Tool} {
		if role.String() == name {
			return role, true
		}
	}
	return model.User, false
}

func newDemo(s *session.Session) *cobra.Command {
	var f showFlags
	cmd := &cobra.Command{
		Use: "demo", Args: args.None,
		RunE: func(cmd *cobra.Command, _ []string) error { return runShow(cmd.Context(), s, "demo", f) },
	}
	f.Add(s, cmd)
	addWindow(s, cmd)
	return cmd
}

func (f *showFlags) Add(s *session.Session, cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.json, "json", false, "")
	flags.BoolVar(&f.requests, "requests", false, "")
	flags.StringVar(&f.thread, "thread", "", "")
	flags.StringVar(&f.call, "call", "", "")
	flags.StringVar(&f.strategy, "strategy", "", "")
	strategyFileFlag(s, cmd, &f.file)
	flags.StringVar(&f.count, "tokens", "", "")
	flags.StringVar(&f.document, "document", "", "")
	flags.BoolVarP(&f.follow, "follow", "f", false, "")
	f.addScreen(flags)
	f.programs.Add(flags)
}

// addScreen adds the flags that control the screen.
func (f *showFlags) addScreen(flags *pflag.FlagSet) {
	flags.StringVar(&f.theme, "theme", "", "")
	flags.BoolVar(&f.linear, "linear", false, "")
	flags.BoolVar(&f.noMouse, "no-mouse", false, "")
}

func runShow(ctx context.Context, s *session.Session, name string, f showFlags) error {
	g, _, err := s.Gate(redact.Default)
	if err != nil {
		return err
	}
	go g.Line(name) // prepares the redaction rules while the run is opened
	if _, _, err = s.Theme(f.theme); err != nil {
		return err
	}
	if f.strategy, err = s.ChainText(f.strategy, f.file); err != nil {
		return err
	}
	if f.only, err = f.selection(s); err != nil {
		return err
	}
	if f.within, err = f.length.Bounds(f.json); err != nil {
		return err
	}
	if _, err = s.WindowFlag(); err != nil {
		return err
	}
	typed := f.strategy
	if f.strategy != "" {
		chain, err := s.Chain(f.strategy)
		if err != nil {
			return err
		}
		f.strategy = chain.String() // the inspector does not know the user's presets
	}
	if f.call != "" && f.call != "all" {
		if _, err := session.CallNumber(f.call, 1<<30); err != nil {
			return err
		}
	}
	if err = checkScreenFlags(s, name, typed, f); err != nil {
		return err
	}
	src, id, err := s.Open(ctx, name)
	var several *trace.AmbiguousError
	choose := !f.printed() && s.OnTerminal()
	if errors.As(err, &several) && several.Folder && several.Name == "" && choose {
		return pickBelow(ctx, s, several.Source, f)
	}
	if err != nil {
		return err
	}
	if f.json && id == "" && f.document == "" {
		return showAll(ctx, s, g, src, f)
	}
	entry, err := src.Pick(id)
	if errors.As(err, &several) && choose {
		return pickFrom(ctx, s, src, f)
	}
	if err != nil {
		return err
	}
	if why := f.linearly(s.OnTerminal()); why != "" && !f.printed() {
		if name == "-" {
			return failure.Usage(linearNeedsStdin)
		}
		return inspectLinear(ctx, s, g, name, src, entry.ID, f, why)
	}
	if f.printed() || !s.OnTerminal() {
		s.Page()
		if f.within.Outline {
			return printOutline(ctx, s, g, name, src, entry.ID, f)
		}
		recorded, err := s.Read(ctx, src, entry.ID)
		if err != nil {
			return err
		}
		run, err := s.Retold(recorded, f.thread)
		if err != nil {
			return err
		}
		if run != recorded {
			f.thread = ""
		}
		return printRun(ctx, s, g, run, f)
	}
	return inspect(ctx, s, g, name, src, entry.ID, f)
}

// printed reports whether the flags request an output other than the screen.
func (f *showFlags) printed() bool {
	return f.json || f.document != "" || f.only != nil || f.findings || f.within.Given()
}

// checkScreenFlags rejects flags that do not apply to the requested output. typed is the strategy as it was typed.
func checkScreenFlags(s *session.Session, name, typed string, f showFlags) error {
	plain := f.printed() || !s.OnTerminal() && !f.linear
	words := []string{"curate", name}
	if f.json {
		words = append(words, "--json")
	}
	oneView := bounds.Command(words, "--call", f.call, "--strategy", typed, "--thread", f.thread, "--window", s.Window)
	switch {
	case f.only != nil && f.document != "":
		return failure.Usage(selectionOrDocument)
	case f.within.Outline && (f.only != nil || f.document != "" || f.findings):
		return failure.Usage(outlineAlone)
	case f.within.Ranged() && f.document != "":
		return failure.Usage(selectionOrDocument)
	case f.json && f.document != "":
		return failure.Usage(jsonOrDocument)
	case f.findings && (f.json || f.document != ""):
		return failure.Usage(findingsInText)
	case f.count != "" && !f.json:
		return failure.Usage(tokensWithJSON)
	case f.requests && !f.json:
		return failure.Usage(requestsWithJSON)
	case plain && f.linear:
		return failure.Usage(linearAlone)
	case plain && (f.call != "" || f.strategy != ""):
		return failure.Usagef(printOneView, oneView)
	case plain && !f.json && s.Window != "":
		return failure.Usagef(windowOfInspector, oneView)
	case plain && f.follow:
		return failure.Usage(followNeedsTerminal)
	case f.call == "all":
		return failure.Usage(inspectorAtOneCall)
	}
	return nil
}

// linearly returns the name of the flag or variable that selects the linear mode, or "". The flag always applies,
// the environment only on a terminal.
func (f *showFlags) linearly(terminal bool) string {
	switch {
	case f.linear:
		return "--linear"
	case terminal && os.Getenv("LENS_LINEAR") != "":
		return "LENS_LINEAR"
	case terminal && os.Getenv("TERM") == "dumb": // an editor's shell, which cannot draw a screen
		return "TERM=dumb"
	}
	return ""
}

func inspectLinear(ctx context.Context, s *session.Session, g *safe.Gate, name string, src *trace.Source, id string, f showFlags, why string) error {
	cfg, err := inspectorConfig(s, g, name, src, id, f)
	if err != nil {
		return err
	}
	in := s.In
	if !f.linear { // selected by the environment: commands come from the user, not from a pipe
		in = s.Keyboard()
	}
	return linear.Run(ctx, cfg.Config, in, s.Out, why)
}

// inspect opens a run in the inspector.
func inspect(ctx context.Context, s *session.Session, g *safe.Gate, name string, src *trace.Source, id string, f showFlags) error {
	if why := f.linearly(true); why != "" {
		return inspectLinear(ctx, s, g, name, src, id, f, why)
	}
	cfg, err := inspectorConfig(s, g, name, src, id, f)
	if err != nil {
		return err
	}
	return inspector.Run(ctx, cfg)
}

// inspectorConfig returns the configuration of the inspector: its run and its appearance.
func inspectorConfig(s *session.Session, g *safe.Gate, name string, src *trace.Source, id string, f showFlags) (inspector.Config, error) {
	call := 0
	var err error
	if f.call != "" {
		if call, err = session.CallNumber(f.call, 1<<30); err != nil {
			return inspector.Config{}, err
		}
		if f.call == "last" {
			call = -1
		}
	}
	at := func(ctx context.Context, id string) (*model.Run, error) { return src.Load(ctx, id, source.Options{}) }
	if s.Follow != nil {
		s.Follow.Close()
	}
	s.Follow = &session.Follower{Path: src.Path(), Id: id, Src: src, Kept: !f.follow}
	changed := s.Follow.Changed
	switch _, err := os.Stat(src.Path()); {
	case f.follow:
		at = s.Follow.At // the follower closes old sources
	case err != nil: // standard input and the built-in run never change
		changed = nil
	}
	load := loader(s.Follow.Load)
	if load, err = retelling(s, load, &f); err != nil {
		return inspector.Config{}, err
	}
	own, err := s.Settings()
	if err != nil {
		return inspector.Config{}, err
	}
	theme, palette, err := s.Theme(f.theme)
	if err != nil {
		return inspector.Config{}, err
	}
	windows, prices, err := s.ScreenModels()
	if err != nil {
		return inspector.Config{}, err
	}
	keys, commands := session.OwnKeys(own)
	return inspector.Config{
		Against: f.against, Keys: keys, Commands: commands, Path: pathOf(src), Edit: editCommand, Foreground: func(argv []string, wait bool) error { return programs.Foreground(argv, wait, s.Keyboard(), os.Stdout) },
		Config: inspection.Config{
			Runner: s.Runner(f.programs, nil), Mask: programs.NewMasker(g), Unmasked: f.programs.Unmasked,
			Name: name,
			Load: load,
			Gate: g, Thread: f.thread, Call: call, Message: f.message, Find: f.find, Chain: f.strategy, Window: windows.Of, WindowSaid: windows.Said, Prices: prices, Presets: own.OwnPresets(), Filters: own.OwnFilters(), Notes: s.Notes(),
			Export: exporterOf(s), Open: s.AnotherOf(src.Path()), At: at, Complete: session.PathsFrom, Keep: s.KeepPreset, MaskValue: s.MaskerOf(g),
		},
		Changed: changed, ChangedAt: s.Follow.ChangedAt, Follow: f.follow, Listed: f.listed, Save: saveText,
		Theme: theme, Palette: palette, Panes: own.Panes.Value, KeepPanes: s.KeepPanes, NoMouse: f.noMouse, In: s.Keyboard(), Out: os.Stdout,
	}, nil
}

// pathOf returns the absolute path of a source, or "" for standard input.
func pathOf(src *trace.Source) string {
	path, err := filepath.Abs(src.Path())
	if src.Path() == "-" || err != nil {
		return ""
	}
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	return path
}

// editCommand returns the command of the user's editor for a file. offer is set if no editor can show the file
// itself but one could show a copy.
func editCommand(path string, line int) (argv []string, offer bool, err error) {
	argv, err = programs.EditorCommand(os.Getenv, path, line)
	return argv, errors.Is(err, programs.ErrNoLines), err
}

// retelling returns a loader that rebuilds the history of a run from the sources of turns of --turns or of the
// settings file. It returns load if there are none.
func retelling(s *session.Session, load loader, f *showFlags) (loader, error) {
	if retold, err := s.Retells(); err != nil || !retold {
		return load, err
	}
	thread := f.thread
	f.thread = ""
	return func(ctx context.Context, opt source.Options) (*model.Run, error) {
		run, err := load(ctx, opt)
		if err != nil {
			return nil, err
		}
		other, note, err := s.Retell(run, thread)
		if err != nil {
			return nil, err
		}
		return session.WithNote(other, note), nil
	}, nil
}

// A loader reads the run of the inspector.
type loader = func(ctx context.Context, opt source.Options) (*model.Run, error)

// saveText writes copied text to a new file that only the user can read.
func saveText(text safe.Safe) (path string, err error) {
	f, err := os.CreateTemp("", "lens-*.txt")
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text.String() + "\n")
	return f.Name(), errors.Join(err, f.Close())
}

// showAll prints one line for every run of a source.
func showAll(ctx context.Context, s *session.Session, g *safe.Gate, src *trace.Source, f showFlags) error {
	load := func(id string) (*model.Run, error) { return s.Read(ctx, src, id) }
	return trace.EachOf(src.Entries, load, func(run *model.Run) error { return printRun(ctx, s, g, run, f) })
}

// printRun prints a run as JSON, one of its documents, or a transcript.
func printRun(ctx context.Context, s *session.Session, g *safe.Gate, run *model.Run, f showFlags) error {
	if f.within.Given() || f.only != nil || f.document != "" || f.findings || f.thread != "" {
		if err := export.LearnSmall(ctx, g, run); err != nil {
			return err
		}
	}
	if f.findings {
		if _, err := s.Thread(run, f.thread); err != nil {
			return err
		}
		if err := printFindings(ctx, s, g, run); err != nil {
			return err
		}
	}
	return proved(ctx, s, g, run, func(w io.Writer) error { return writeRun(ctx, s, w, g, run, f) })
}

// loadOnce loads the run of a configuration and passes its texts to the gate, which then knows the secrets of all of
// them when it judges one.
func loadOnce(ctx context.Context, g *safe.Gate, cfg *inspection.Config) error {
	run, err := cfg.Load(ctx, source.Options{})
	if err != nil {
		return err
	}
	cfg.Load = func(context.Context, source.Options) (*model.Run, error) { return run, nil }
	return export.LearnSmall(ctx, g, run)
}

// printOutline prints a line for each message of a thread.
func printOutline(ctx context.Context, s *session.Session, g *safe.Gate, name string, src *trace.Source, id string, f showFlags) error {
	cfg, err := inspectorConfig(s, g, name, src, id, f)
	if err != nil {
		return err
	}
	if err := loadOnce(ctx, g, &cfg.Config); err != nil {
		return err
	}
	out, messages := f.within.Output(s.Out, s.Args), 0
	has := func(i int) bool {
		messages = max(messages, i+1)
		return f.within.Has(i) && out.Begin(i)
	}
	if err := linear.Outline(ctx, cfg.Config, has, out); err != nil {
		return err
	}
	if err := f.within.Beyond(messages); err != nil {
		return err
	}
	return out.End()
}

// writeRun writes what printRun prints.
func writeRun(ctx context.Context, s *session.Session, w io.Writer, g *safe.Gate, run *model.Run, f showFlags) error {
	if f.document != "" {
		return output.PrintDocument(w, g, run, f.document)
	}
	tables, err := tablesOf(s)
	if err != nil {
		return err
	}
	chosen := func(t *model.Thread) (export.Chooser, error) {
		return inspection.Chooser(ctx, inspection.Config{Gate: g, Notes: s.Notes()}, run, t, f.only)
	}
	if !f.json {
		t, err := s.Thread(run, f.thread)
		if err != nil {
			return err
		}
		only, err := chosen(t)
		if err != nil {
			return err
		}
		return writeTranscript(s, w, g, &export.Document{Run: run, Threads: []*model.Thread{t}, Tables: tables, Only: only, Notes: notesOf(s, run)}, f.within)
	}
	var only *model.Thread
	if f.thread != "" {
		t, err := s.Thread(run, f.thread)
		if err != nil {
			return err
		}
		only = t
	}
	count, err := runCounter(s, run, f.count)
	if err != nil {
		return err
	}
	choose, err := chosen(only)
	if err != nil {
		return err
	}
	if chosen := choose; f.within.Ranged() {
		choose = func(t *model.Thread, i int) bool { return f.within.Has(i) && chosen.Has(t, i) }
	}
	return export.WriteRun(ctx, w, g, run, export.RunOptions{Tables: tables, Only: only, Count: count, Bodies: f.requests, Select: choose, Notes: notesOf(s, run)})
}

// writeTranscript writes a document of one thread within bounds.
func writeTranscript(s *session.Session, w io.Writer, g *safe.Gate, doc *export.Document, within bounds.Bounds) error {
	if !within.Given() {
		return export.Transcript(w, g, doc)
	}
	n := doc.Threads[0].Len()
	if err := within.Beyond(n); err != nil {
		return err
	}
	out := within.Output(w, s.Args)
	if out.Last = n; within.To > 0 {
		out.Last = min(n, within.To)
	}
	short := bufio.NewWriterSize(out, 1<<16) // of the size that the transcript writes with, so that it adds no buffer of its own
	doc.Range = func(_ *model.Thread, i int) bool {
		return within.Has(i) && short.Flush() == nil && out.Begin(i)
	}
	err := export.Transcript(short, g, doc)
	if err == nil {
		err = short.Flush()
	}
	if err == nil {
		err = out.End()
	}
	return err
}

// notesOf returns the user's notes on a run. If they cannot be read, it prints a warning.
func notesOf(s *session.Session, run *model.Run) export.Notes {
	collection, err := s.Notes().Read(run)
	if err != nil {
		fmt.Fprintf(s.Err, notesWarning, failure.Clean(err.Error()))
	}
	return collection.At
}

// tablesOf returns the facts about models from the flags, the settings and the table of models.
func tablesOf(s *session.Session) (t export.Tables, err error) {
	if t.Prices, err = s.Prices(); err != nil {
		return t, err
	}
	t.Windows, err = s.Windows()
	return t, err
}

// runCounter returns the token counter that --tokens names. The default counter estimates.
func runCounter(s *session.Session, run *model.Run, name string) (tokens.Counter, error) {
	switch name {
	case "":
		return tokens.Estimate{}, nil
	case session.Exact:
		modelName := first(run.Models())
		s.WarnInexact(modelName)
		return tokens.Memo(tokens.For(modelName)), nil
	}
	c, err := tokens.Named(name)
	if err != nil {
		return nil, failure.Usagef(unknownCounter, name, session.Exact, strings.Join(tokens.Names(), ", "))
	}
	return tokens.Memo(c), nil
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}
