package cli

import (
	"context"
	"encoding/json"
	"fmt"

	"agentlens/internal/export"
	"agentlens/internal/library/rundiff"
	"agentlens/internal/redact"
	"agentlens/internal/safe"
)

// runDiffRuns holds one run against another.
func (a *app) runDiffRuns(ctx context.Context, names []string, f curateFlags) error {
	if f.strategy != "" || f.file != "" || f.call != "" {
		return usageError{"two runs are held against each other as they are recorded: --strategy, --strategy-file and --call go with one run"}
	}
	if names[0] == "-" && names[1] == "-" {
		return usageError{"standard input can be one of the runs, not both"}
	}
	g, _, err := a.gate(redact.Default)
	if err != nil {
		return err
	}
	var sides [2]rundiff.Side
	for i, name := range names {
		run, err := a.load(ctx, name)
		if err != nil {
			return err
		}
		t, err := a.thread(run, f.thread)
		if err != nil {
			return err
		}
		sides[i] = rundiff.Side{Run: run, Thread: t}
	}
	rows, err := rundiff.Diff(ctx, sides[0], sides[1])
	if err != nil {
		return fmt.Errorf("hold %s against %s: %w", names[0], names[1], err)
	}
	if f.json {
		row, err := export.RunDiff(g, sides[0], sides[1], rows)
		if err != nil {
			return err
		}
		if err := json.NewEncoder(a.out).Encode(row); err != nil {
			return err
		}
	} else if err := a.diffRunsText(g, sides, rows); err != nil {
		return err
	}
	if !rundiff.Equal(rows) {
		return errFound
	}
	return nil
}

// diffRunsText prints two runs as a diff: what is the same in one line per stretch.
func (a *app) diffRunsText(g *safe.Gate, sides [2]rundiff.Side, rows []rundiff.Row) error {
	for i, sign := range [...]string{"---", "+++"} {
		s := sides[i]
		fmt.Fprintf(a.out, "%s %s, thread %s: %d messages\n", sign, g.Line(s.Run.ID), g.Line(s.Thread.ID), s.Thread.Len())
	}
	same := 0
	flush := func() {
		if same > 0 {
			fmt.Fprintf(a.out, "  … %d the same\n", same)
		}
		same = 0
	}
	for _, r := range rows {
		if r.Kind == rundiff.Same {
			same++
			continue
		}
		flush()
		for i, index := range [...]int{r.A, r.B} {
			if index < 0 {
				continue
			}
			m := sides[i].Thread.At(index)
			text, err := export.Said(sides[i].Run, m)
			if err != nil {
				return err
			}
			fmt.Fprintf(a.out, "%c %d %s  %s\n", "-+"[i], index, m.Role, g.Preview(text, previewLen))
		}
	}
	flush()
	return nil
}
