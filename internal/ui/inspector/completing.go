package inspector

import (
	"context"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/screens/chooser"
)

// This file completes the names of runs in the palette.

// mostOffered is the number of names that a completion lists.
const mostOffered = 200

// completeRun completes the run after ":diff ", in a job, because names are paths. It returns
// false for other lines.
func (r *inspector) completeRun(p *chooser.Chooser, line string) (tea.Cmd, bool) {
	blank := line[:len(line)-len(strings.TrimLeft(line, " :"))]
	name, arg, isCommand := strings.Cut(line[len(blank):], " ")
	if !isCommand || name != "diff" || r.cfg.Complete == nil || strings.HasPrefix(arg, "call ") {
		return nil, false
	}
	names, gate := r.cfg.Complete, r.cfg.Gate
	start := blank + name + " "
	return r.jobs.Start(completeJob, func(context.Context) func() tea.Cmd {
		var list []chooser.Choice
		for i, n := range names(arg) {
			if i == mostOffered {
				break
			}
			list = append(list, chooser.Choice{Safe: gate.Line(n), Fill: start + n})
		}
		return func() tea.Cmd {
			if len(list) == 0 {
				r.note = "no path begins with what is typed"
			}
			p.Offer(line, list)
			return nil
		}
	}), true
}
