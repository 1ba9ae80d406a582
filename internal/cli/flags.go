package cli

import (
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"agentlens/internal/cli/failure"
	"agentlens/internal/cli/help"
	"agentlens/internal/cli/session"
	"agentlens/internal/library/catalog"
	"agentlens/internal/model"
	"agentlens/internal/trace"
	"agentlens/internal/trace/ground/source"
)

// addCount adds --tokens and --window to a command that replays a thread.
func addCount(s *session.Session, cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.Count, "tokens", "", "")
	addWindow(s, cmd)
}

// addWindow adds --window to a command that makes views.
func addWindow(s *session.Session, cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.Window, "window", "", "")
}

// strategyFileFlag adds --strategy-file and --turns, which a settings file may imply.
func strategyFileFlag(s *session.Session, cmd *cobra.Command, file *string) {
	cmd.Flags().StringVar(file, "strategy-file", "", "")
	cmd.Flags().StringVar(&s.Turns, "turns", "", "")
}

// pickFlags select and sort runs.
type pickFlags struct {
	format, status, model, since, sort string
	minTokens                          int64
	has                                []string
	limit                              int
	noCache                            bool
}

func (f *pickFlags) Add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.format, "format", "", "")
	flags.StringVar(&f.status, "status", "", "")
	flags.StringVar(&f.model, "model", "", "")
	flags.StringVar(&f.since, "since", "", "")
	flags.Int64Var(&f.minTokens, "min-tokens", 0, "")
	flags.StringSliceVar(&f.has, "has", nil, "")
	flags.BoolVar(&f.noCache, "no-cache", false, "")
}

// filter validates the flags and returns the filter they describe.
func (f *pickFlags) filter() (catalog.Filter, error) {
	want := catalog.Filter{Format: f.format, Status: f.status, Model: f.model, MinTokens: f.minTokens, Has: f.has}
	for _, name := range f.has {
		if catalog.Features()[name] == nil {
			return want, failure.Usagef(unknownFeature, name)
		}
	}
	known := func(format source.Format) bool { return format.Name == f.format }
	if f.format != "" && !slices.ContainsFunc(trace.Formats(), known) {
		return want, failure.Usagef(unknownFormat, f.format)
	}
	if f.status != "" && !slices.Contains(model.Statuses(), model.Status(f.status)) {
		return want, failure.Usagef(unknownStatus, f.status, help.Statuses())
	}
	if f.minTokens < 0 || f.limit < 0 {
		return want, failure.Usage(negativeLimit)
	}
	if f.sort != "" && !slices.Contains(catalog.Orders(), f.sort) {
		return want, failure.Usagef(unknownOrder, f.sort, strings.Join(catalog.Orders(), ", "))
	}
	if f.since != "" {
		var err error
		if want.Since, err = catalog.ParseSince(f.since, time.Now()); err != nil {
			return want, failure.Usage("invalid --since " + err.Error())
		}
	}
	return want, nil
}
