package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"agentlens/internal/library/catalog"
	"agentlens/internal/model"
	"agentlens/internal/redact"
	"agentlens/internal/safe"
	"agentlens/internal/trace"
	"agentlens/internal/trace/ground/source"
)

// pickFlags say which runs are wanted, in which order.
type pickFlags struct {
	format, status, model, since, sort string
	minTokens                          int64
	has                                []string
	limit                              int
	noCache                            bool
}

func (f *pickFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.format, "format", "", "only this format; lens formats names them")
	flags.StringVar(&f.status, "status", "", "only runs of this status: "+statuses())
	flags.StringVar(&f.model, "model", "", "only runs with a model whose name holds this")
	flags.StringVar(&f.since, "since", "", "only runs since a date, or 90m, 12h, 7d, 2w ago")
	flags.Int64Var(&f.minTokens, "min-tokens", 0, "only runs of at least so many tokens")
	flags.StringSliceVar(&f.has, "has", nil, "only runs that have: pending, error, compaction, subagent")
	flags.BoolVar(&f.noCache, "no-cache", false, "read every file again")
}

// filter checks the flags.
func (f *pickFlags) filter() (catalog.Filter, error) {
	want := catalog.Filter{Format: f.format, Status: f.status, Model: f.model, MinTokens: f.minTokens, Has: f.has}
	for _, name := range f.has {
		if catalog.Features()[name] == nil {
			return want, usageError{fmt.Sprintf("--has %s: want pending, error, compaction or subagent", name)}
		}
	}
	known := func(format source.Format) bool { return format.Name == f.format }
	if f.format != "" && !slices.ContainsFunc(trace.Formats(), known) {
		return want, usageError{fmt.Sprintf("--format %s: no such format; lens formats names them", f.format)}
	}
	if f.status != "" && !slices.Contains(model.Statuses(), model.Status(f.status)) {
		return want, usageError{fmt.Sprintf("--status %s: want %s", f.status, statuses())}
	}
	if f.minTokens < 0 || f.limit < 0 {
		return want, usageError{"--min-tokens and --limit want a number that is not negative"}
	}
	if f.sort != "" && !slices.Contains(catalog.Orders(), f.sort) {
		return want, usageError{fmt.Sprintf("--sort %s: want %s", f.sort, strings.Join(catalog.Orders(), ", "))}
	}
	if f.since != "" {
		var err error
		if want.Since, err = catalog.ParseSince(f.since, time.Now()); err != nil {
			return want, usageError{"--since: " + err.Error()}
		}
	}
	return want, nil
}

func statuses() string {
	var names []string
	for _, s := range model.Statuses() {
		names = append(names, string(s))
	}
	return strings.Join(names, ", ")
}

// nothing is the answer where no run is left of those that were seen.
func nothing(seen int, command string) error {
	if seen > 0 {
		return notFound{fmt.Sprintf("none of %s is what the flags ask for", countOf(seen, "run"))}
	}
	return notFound{"no runs found here; name a file or a folder, or try: lens " + command + " demo"}
}

type listFlags struct {
	pickFlags
	json, lines bool
}

func (a *app) list() *cobra.Command {
	var f listFlags
	cmd := &cobra.Command{
		Use:   "list [source…]",
		Short: "The runs of files and folders, or of this machine",
		Long: `List runs, newest file first, as they are found. Without a source: what lies in
the current folder, and in the places where agents write; lens formats names
them. What was read is remembered in the cache folder until the file changes.

CALLS are requests to the model. TOKENS are what their usage says, as recorded: all
prompts, cached or not, and all replies. (SENT of lens compare is counted by lens:
the messages of all prompts, without tools and replies.)

  lens list --since 2d --has error
  lens list ~/traces --format codex --sort tokens --limit 20`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.runList(cmd.Context(), args, f) },
	}
	f.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.sort, "sort", "", "sort by: "+strings.Join(catalog.Orders(), ", "))
	flags.IntVar(&f.limit, "limit", 0, "no more than so many runs")
	flags.BoolVar(&f.json, "json", false, "print lens.list/1")
	flags.BoolVar(&f.lines, "jsonl", false, "print one RUN of lens.list/1 per line")
	return cmd
}

// errEnough ends a scan that has given what was asked for.
var errEnough = errors.New("enough")

func (a *app) runList(ctx context.Context, args []string, f listFlags) error {
	want, err := f.filter()
	if err == nil && f.json && f.lines {
		err = usageError{"--json prints one object, --jsonl a run per line: name one of them"}
	}
	if err != nil {
		return err
	}
	g, _, err := a.gate(redact.Default)
	if err != nil {
		return err
	}
	chosen, err := a.choose(ctx, args)
	if err != nil {
		return err
	}
	out := a.runPrinter(f)
	rows, seen := []catalog.Row{}, 0
	keep := func(row catalog.Row) error {
		seen++
		if !want.Wants(&row) {
			return nil
		}
		rows = append(rows, row)
		if f.sort != "" {
			return nil
		}
		if err := out.row(&row); err != nil {
			return err
		}
		if f.limit > 0 && len(rows) >= f.limit {
			return errEnough
		}
		return nil
	}
	if err := a.scan(ctx, g, chosen, &f.pickFlags, a.err, keep); err != nil && !errors.Is(err, errEnough) {
		return errors.Join(err, out.broken())
	}
	if f.sort != "" {
		catalog.Sort(rows, f.sort)
		if f.limit > 0 {
			rows = rows[:min(f.limit, len(rows))]
		}
		for i := range rows {
			if err := out.row(&rows[i]); err != nil {
				return err
			}
		}
	}
	if err := out.end(); err != nil {
		return err
	}
	if len(rows) == 0 && !f.json && !f.lines {
		return nothing(seen, "show")
	}
	return nil
}

// A choice is what a person wants looked through: files that were found or named,
// and sources that are open already: those that are no files, and those of which
// one run is wanted.
type choice struct {
	files  []trace.Found
	opened []*trace.Source
	faults []trace.Fault
	alone  bool // one source was named, and no folder: that it cannot be read is the answer
}

// choose finds the files to be read for the sources a person names, or those of
// this machine.
func (a *app) choose(ctx context.Context, args []string) (*choice, error) {
	finder := trace.Finder{Env: os.Getenv}
	c := &choice{alone: len(args) == 1}
	defer func() { c.faults = finder.Faults }()
	if len(args) == 0 {
		c.files = finder.Machine(ctx)
		return c, nil
	}
	for _, name := range args {
		path, id := trace.SplitName(name)
		info, err := os.Stat(path)
		if err != nil || id != "" || name == "demo" || name == "-" { // a run, or what is no file
			src, id, err := a.open(ctx, name)
			if err == nil && id != "" {
				err = src.Narrow(id)
			}
			if err != nil {
				return nil, err
			}
			c.opened = append(c.opened, src)
			continue
		}
		found := trace.Found{Path: path, Modified: info.ModTime(), Size: info.Size(), Dir: info.IsDir()}
		if !found.Dir || trace.Claimed(path) {
			c.files = append(c.files, found)
			continue
		}
		c.alone = false
		c.files = append(c.files, finder.Below(ctx, path)...)
	}
	return c, nil
}

// scan reads what was chosen through the cache and gives the rows to keep. A file
// that cannot be read is an error when it alone was named, else passed over and
// said to complain.
func (a *app) scan(ctx context.Context, g *safe.Gate, c *choice, f *pickFlags, complain io.Writer, keep func(catalog.Row) error) error {
	debug.SetGCPercent(scanGC)
	cache := &catalog.Cache{}
	if folder := cacheFolder(os.Getenv); folder != "" && !f.noCache {
		cache = catalog.OpenCache(folder, a.variant(), g)
	}
	seen := c.tally()
	p := a.progress(sizeOf(c.files))
	take := func(r catalog.Result) error {
		p.add(r.File.Size)
		if r.Err != nil && c.alone {
			return r.Err
		}
		seen.add(r)
		for _, row := range r.Rows {
			if err := p.aside(func() error { return keep(row) }); err != nil {
				return err
			}
		}
		return nil
	}
	var err error
	for _, src := range c.opened {
		if err = take(catalog.Read(ctx, g, src)); err != nil {
			break
		}
	}
	if err == nil {
		err = catalog.Scan(ctx, g, cache, c.files, take)
	}
	p.end()
	if saving := cache.Save(); saving != nil {
		fmt.Fprintf(complain, "lens: warning: %s; every file is read again next time\n", clean(saving.Error()))
	}
	seen.say(complain)
	return err
}

// scanGC lets garbage grow to four times what is kept: a scan makes much of it
// and keeps little.
const scanGC = 400

// A tally counts what a scan could not look into or read whole.
type tally struct {
	warned, unread int
	last           error
	first          string // of those warned, its id and where it is
}

// tally begins with the places that could not be looked into.
func (c *choice) tally() (t tally) {
	for _, f := range c.faults {
		t.unread, t.last = t.unread+1, f.Err
	}
	return t
}

func (t *tally) add(r catalog.Result) {
	if r.Err != nil && !errors.Is(r.Err, trace.ErrUnknown) {
		t.unread, t.last = t.unread+1, r.Err
	}
	for i := range r.Rows {
		if r.Rows[i].Warnings > 0 {
			if t.warned++; t.warned == 1 {
				t.first = fmt.Sprintf("%s in %s", r.Rows[i].ID.Line(), r.Rows[i].Source.Line())
			}
		}
	}
}

func (t *tally) say(w io.Writer) {
	switch {
	case t.unread == 1:
		fmt.Fprintf(w, "lens: warning: %s\n", clean(t.last.Error()))
	case t.unread > 1:
		fmt.Fprintf(w, "lens: %d files or folders could not be read; lens doctor says why\n", t.unread)
	}
	switch {
	case t.warned == 1:
		fmt.Fprintf(w, "lens: 1 run read with warnings: %s; lens doctor tells them\n", t.first)
	case t.warned > 1:
		fmt.Fprintf(w, "lens: %s read with warnings, the first of them %s; lens doctor tells them\n", countOf(t.warned, "run"), t.first)
	}
}

// variant names the redaction rows are made under: rows of another are not used.
func (a *app) variant() string {
	level, err := a.redaction(redact.Default)
	if err != nil {
		level = redact.Default // its gate was not made either
	}
	name := level.String()
	if len(a.pii) > 0 {
		name += "-pii"
	}
	return name
}

// cacheFolder is lens's folder below the cache folder of the user; "" for none. A
// relative XDG_CACHE_HOME does not count, as its specification says.
func cacheFolder(env func(string) string) string {
	switch {
	case filepath.IsAbs(env("XDG_CACHE_HOME")):
		return filepath.Join(env("XDG_CACHE_HOME"), "lens")
	case filepath.IsAbs(env("HOME")):
		return filepath.Join(env("HOME"), ".cache", "lens")
	}
	return ""
}
