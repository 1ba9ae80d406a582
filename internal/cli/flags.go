package cli

import (
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"agentlens/internal/cli/failure"
	"agentlens/internal/cli/session"
	"agentlens/internal/curate"
	"agentlens/internal/library/catalog"
	"agentlens/internal/model"
	"agentlens/internal/trace"
	"agentlens/internal/trace/ground/source"
)

// addCount adds --tokens and --window to a command that replays a thread.
func addCount(s *session.Session, cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.Count, "tokens", "", "count by: exact (as the model does; the default where its tokenizer is public), "+strings.Join(curate.Estimators(), ", "))
	addWindow(s, cmd)
}

// addWindow adds --window to a command that forms views.
func addWindow(s *session.Session, cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.Window, "window", "", "size of the context window in tokens (default: that of the record, else of the model, where known)")
}

// strategyFileFlag adds --strategy-file, beside --strategy.
func strategyFileFlag(cmd *cobra.Command, file *string) {
	cmd.Flags().StringVar(file, "strategy-file", "", "read the chain from a setting: FILE or FILE#loop; lens strategies --help lists the kinds")
}

// pickFlags say which runs are wanted, in which order.
type pickFlags struct {
	format, status, model, since, sort string
	minTokens                          int64
	has                                []string
	limit                              int
	noCache                            bool
}

func (f *pickFlags) Add(cmd *cobra.Command) {
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
			return want, failure.Usagef("--has %s: want pending, error, compaction or subagent", name)
		}
	}
	known := func(format source.Format) bool { return format.Name == f.format }
	if f.format != "" && !slices.ContainsFunc(trace.Formats(), known) {
		return want, failure.Usagef("--format %s: no such format; lens formats names them", f.format)
	}
	if f.status != "" && !slices.Contains(model.Statuses(), model.Status(f.status)) {
		return want, failure.Usagef("--status %s: want %s", f.status, statuses())
	}
	if f.minTokens < 0 || f.limit < 0 {
		return want, failure.Usage("--min-tokens and --limit want a number that is not negative")
	}
	if f.sort != "" && !slices.Contains(catalog.Orders(), f.sort) {
		return want, failure.Usagef("--sort %s: want %s", f.sort, strings.Join(catalog.Orders(), ", "))
	}
	if f.since != "" {
		var err error
		if want.Since, err = catalog.ParseSince(f.since, time.Now()); err != nil {
			return want, failure.Usage("--since: " + err.Error())
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
