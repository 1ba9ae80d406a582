package cli

import (
	"context"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"agentlens/internal/cli/bounds"
	"agentlens/internal/cli/failure"
	"agentlens/internal/cli/output"
	"agentlens/internal/cli/session"
	"agentlens/internal/library/match"
	"agentlens/internal/library/search"
	"agentlens/internal/redact"
	"agentlens/internal/remote"
	"agentlens/internal/trace"
)

type searchFlags struct {
	filterFlags
	regexp, json, count, files bool
	failed                     bool
	role, tool                 string
	perRun                     int
	before, after, around      int // messages
	bounds                     bounds.Flags
}

func newSearch(s *session.Session) *cobra.Command {
	var f searchFlags
	cmd := &cobra.Command{
		Use: "search [PATTERN] [source…]",
		Args: func(cmd *cobra.Command, args []string) error {
			if !f.failed && (len(args) == 0 || args[0] == "") {
				return failure.Usage(needsPattern)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 || f.failed && namesSource(args[0]) {
				return runSearch(cmd.Context(), s, "", args, f)
			}
			return runSearch(cmd.Context(), s, args[0], args[1:], f)
		},
	}
	flags := cmd.Flags()
	flags.BoolVarP(&f.regexp, "regexp", "e", false, "")
	flags.BoolVar(&f.failed, "failed", false, "")
	flags.StringVar(&f.role, "role", "", "")
	flags.StringVar(&f.tool, "tool", "", "")
	flags.IntVarP(&f.perRun, "max-count", "m", 0, "")
	flags.BoolVarP(&f.count, "count", "c", false, "")
	flags.BoolVarP(&f.files, "files", "l", false, "")
	flags.BoolVar(&f.json, "json", false, "")
	flags.IntVarP(&f.after, "after", "A", 0, "")
	flags.IntVarP(&f.before, "before", "B", 0, "")
	flags.IntVarP(&f.around, "context", "C", 0, "")
	f.bounds.Add(flags)
	f.Add(s, cmd)
	return cmd
}

// namesSource reports whether word names a source: a file, a folder, or a run without a
// file.
func namesSource(word string) bool {
	path, _ := trace.SplitName(word)
	_, err := os.Stat(path)
	return err == nil || remote.Named(word) || slices.Contains([]string{"demo", "latest", "-"}, path)
}

func (f *searchFlags) query(pattern string) (*search.Query, error) {
	q := &search.Query{Tool: f.tool, PerRun: f.perRun, Failed: f.failed, Before: max(f.before, f.around), After: max(f.after, f.around)}
	switch {
	case pattern == "" && f.failed:
	case !f.regexp:
		q.Match = match.Literal(pattern)
	default:
		var err error
		if q.Match, err = match.Regexp(pattern); err != nil {
			return nil, failure.Usage(err.Error())
		}
	}
	if f.files {
		q.PerRun = 1
	}
	if f.role == "" {
		return q, nil
	}
	role, ok := roleNamed(f.role)
	if !ok {
		return nil, failure.Usagef(unknownRole, f.role)
	}
	q.RoleSet, q.Role = true, role
	return q, nil
}

func runSearch(ctx context.Context, s *session.Session, pattern string, sources []string, f searchFlags) error {
	if f.json && f.count || f.json && f.files || f.count && f.files {
		return failure.Usage(oneHitForm)
	}
	if f.perRun < 0 {
		return failure.Usage(negativeCount)
	}
	if min(f.before, f.after, f.around) < 0 {
		return failure.Usage(negativeContext)
	}
	within, err := f.bounds.Bounds(f.json)
	if err != nil {
		return err
	}
	if within.Outline && (f.count || f.files) {
		return failure.Usage(countOrOutline)
	}
	q, err := f.query(pattern)
	if err != nil {
		return err
	}
	if within.Ranged() {
		q.Has = within.Has
	}
	if q.Prices, err = s.Prices(); err != nil {
		return err
	}
	g, _, err := s.Gate(redact.Default)
	if err != nil {
		return err
	}
	if !f.noCache {
		q.Places = s.Places(g, q.Prices)
	}
	want, err := f.filter()
	if err != nil {
		return err
	}
	chosen, wants, err := s.ChooseFor(ctx, g, sources, &want, q.Match, f.noCache)
	if err != nil {
		return err
	}
	short := within.Output(s.Out, s.Args)
	p := output.HitPrinter{Out: short, How: f.form(), Form: s.Table(), Outline: within.Outline}
	seen, hits := chosen.Tally(), 0
	bar, step := chosen.Progress(s.Err)
	defer bar.End()
	take := func(r search.Result) error {
		if r.Err != nil && chosen.Alone && !isDamaged(r.Err) {
			return r.Err
		}
		seen.Failed(r.Err)
		hits += len(r.Hits)
		return p.Print(r.Hits)
	}
	for _, src := range chosen.Opened {
		if err := take(search.Source(ctx, g, q, src)); err != nil {
			return err
		}
	}
	for _, src := range chosen.Servers {
		each, end := func(r search.Result) error { return bar.Pause(func() error { return take(r) }) }, func() error { return nil }
		if f.count || f.files {
			each, end = together(take)
		}
		err := search.Each(ctx, g, q, src, wants, func(r search.Result) error {
			bar.Add(step(0))
			return each(r)
		})
		if err == nil {
			err = end()
		}
		if err != nil {
			return err
		}
	}
	err = search.Files(ctx, g, q, chosen.Files, func(r search.Result) error {
		bar.Add(step(r.File.Size))
		err := bar.Pause(func() error { return take(r) })
		if s.Paged() {
			bar.End()
		}
		return err
	})
	if err == nil {
		err = short.End()
	}
	if err != nil {
		return err
	}
	bar.Pause(func() error { seen.Report(s.Err); return nil })
	switch {
	case len(chosen.Opened)+len(chosen.Files)+len(chosen.Servers) == 0:
		return failure.No(nothingToSearch)
	case hits == 0:
		return failure.ErrFound
	}
	return nil
}

// together returns a function that collects results, and one that passes all of them to take at once: a source has one line.
func together(take func(search.Result) error) (each func(search.Result) error, end func() error) {
	all := search.Result{}
	return func(r search.Result) error {
		all.Hits, all.Err = append(all.Hits, r.Hits...), r.Err
		return nil
	}, func() error { return take(all) }
}

// form returns the output form of the hits.
func (f *searchFlags) form() output.HitForm {
	switch {
	case f.json:
		return output.HitJSON
	case f.count:
		return output.HitCounts
	case f.files:
		return output.HitSources
	}
	return output.HitLines
}
