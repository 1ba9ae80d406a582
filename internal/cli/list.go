package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"agentlens/internal/cli/failure"
	"agentlens/internal/cli/output"
	"agentlens/internal/cli/session"
	"agentlens/internal/library/catalog"
	"agentlens/internal/redact"
)

type listFlags struct {
	pickFlags
	json, lines bool
}

func newList(s *session.Session) *cobra.Command {
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
		RunE: func(cmd *cobra.Command, args []string) error { return runList(cmd.Context(), s, args, f) },
	}
	f.Add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.sort, "sort", "", "sort by: "+strings.Join(catalog.Orders(), ", "))
	flags.IntVar(&f.limit, "limit", 0, "no more than so many runs")
	flags.BoolVar(&f.json, "json", false, "print lens.list/1")
	flags.BoolVar(&f.lines, "jsonl", false, "print one RUN of lens.list/1 per line")
	return cmd
}

// errEnough ends a scan that has given what was asked for.
var errEnough = errors.New("enough")

func runList(ctx context.Context, s *session.Session, args []string, f listFlags) error {
	want, err := f.filter()
	if err == nil && f.json && f.lines {
		err = failure.Usage("--json prints one object, --jsonl a run per line: name one of them")
	}
	if err != nil {
		return err
	}
	g, _, err := s.Gate(redact.Default)
	if err != nil {
		return err
	}
	chosen, err := s.Sources(ctx, args)
	if err != nil {
		return err
	}
	out := output.NewRunPrinter(s.Out, f.form(), !s.OutTerminal())
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
		if err := out.Row(&row); err != nil {
			return err
		}
		if f.limit > 0 && len(rows) >= f.limit {
			return errEnough
		}
		return nil
	}
	if err := s.Scan(ctx, g, chosen, f.noCache, s.Err, keep); err != nil && !errors.Is(err, errEnough) {
		return errors.Join(err, out.Broken())
	}
	if f.sort != "" {
		catalog.Sort(rows, f.sort)
		if f.limit > 0 {
			rows = rows[:min(f.limit, len(rows))]
		}
		for i := range rows {
			if err := out.Row(&rows[i]); err != nil {
				return err
			}
		}
	}
	if err := out.End(); err != nil {
		return err
	}
	if len(rows) == 0 && !f.json && !f.lines {
		return nothing(seen, "show")
	}
	return nil
}

// form returns how the flags print runs.
func (f *listFlags) form() output.RunForm {
	switch {
	case f.json:
		return output.RunObject
	case f.lines:
		return output.RunLines
	}
	return output.RunTable
}
