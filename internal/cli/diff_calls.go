package cli

import (
	"context"
	"encoding/json"
	"fmt"

	"agentlens/internal/export"
	"agentlens/internal/library/rundiff"
	"agentlens/internal/model"
	"agentlens/internal/redact"
	"agentlens/internal/safe"
)

// runDiffCalls holds what one call was sent against what another of the same thread was.
func (a *app) runDiffCalls(ctx context.Context, name string, calls []string, f curateFlags) error {
	if len(calls) > 2 {
		return usageError{"--call: one call is held against the full history, two against each other"}
	}
	g, _, err := a.gate(redact.Default)
	if err != nil {
		return err
	}
	if f.strategy, err = a.chainOf(f.strategy, f.file); err != nil {
		return err
	}
	f.call = "all"
	r, err := a.replay(ctx, g, name, f)
	if err != nil {
		return err
	}
	var views [2]*model.View
	for i, call := range calls {
		if call == "all" {
			return usageError{"--call all: name two calls: a number, first, last or next"}
		}
		n, err := r.known(call)
		if err != nil {
			return err
		}
		views[i] = r.View(n)
	}
	row, err := export.CallDiff(g, r.run, r.thread, views[0], views[1], r.strategy)
	if err != nil {
		return err
	}
	if f.json {
		err = json.NewEncoder(a.out).Encode(row)
	} else {
		err = a.diffCallsText(g, r, views)
	}
	if err == nil && !row.Equal {
		err = errFound
	}
	return err
}

// diffCallsText prints two views as a diff: what is the same in one line per stretch.
func (a *app) diffCallsText(g *safe.Gate, r *replayed, views [2]*model.View) error {
	var sent [2][]*model.Entry
	for i, sign := range [...]string{"---", "+++"} {
		v := views[i]
		sent[i] = rundiff.Sent(v)
		about := ""
		if v.Estimated {
			about = "~"
		}
		fmt.Fprintf(a.out, "%s %s, %s, %s: %d messages, %s%s tokens\n", sign, g.Line(r.run.ID), callName(v.Call, r.Calls()), v.Basis, v.Curated.Messages, about, comma(v.Curated.Tokens))
	}
	dropped := map[int32]*model.Entry{} // of the second view
	for i := range views[1].Entries {
		if e := &views[1].Entries[i]; e.Fate == model.WasDropped {
			dropped[e.Index] = e
		}
	}
	same := 0
	flush := func() {
		if same > 0 {
			fmt.Fprintf(a.out, "  … %d the same\n", same)
		}
		same = 0
	}
	for _, row := range rundiff.Views(sent[0], sent[1]) {
		if row.Kind == rundiff.Same {
			same++
			continue
		}
		flush()
		for i, at := range [...]int{row.A, row.B} {
			if at < 0 {
				continue
			}
			e := sent[i][at]
			text, err := previewOf(g, r, e)
			if err != nil {
				return err
			}
			index := ""
			if e.Index >= 0 {
				index = fmt.Sprintf("%d ", e.Index)
			}
			fmt.Fprintf(a.out, "%c %s%s  %s\n", "-+"[i], index, e.Role, text)
			why := e
			if i == 0 {
				why = dropped[e.Index]
			}
			if why != nil && why.Reason != "" {
				fmt.Fprintf(a.out, "    %s: %s\n", g.Line(why.By), g.Line(why.Reason))
			}
		}
	}
	flush()
	return nil
}
