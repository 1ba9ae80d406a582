package export

import (
	"agentlens/internal/curate/resume"
	"agentlens/internal/model"
	"agentlens/internal/safe"
)

// ResumeRow is lens.resume/1: how a conversation would be resumed.
type ResumeRow struct {
	Schema   string         `json:"schema"`
	RunID    *safe.SafeJSON `json:"run_id"`
	ThreadID *safe.SafeJSON `json:"thread_id"`
	Error    *resumeError   `json:"error"`
	Prompt   *promptRow     `json:"prompt"`
	Basis    string         `json:"basis"`
	// Pending lists the calls without a result.
	Pending []pendingRow `json:"pending"`
	// Paused is the pause that waits for a person, or null if there is none.
	Paused   *markerRow     `json:"paused"`
	Next     nextRow        `json:"next"`
	Messages []EntryRow     `json:"messages"`
	Problems []problemRow   `json:"problems"`
	Filter   *statusFilters `json:"status_filter"`
}

type resumeError struct {
	Name    string        `json:"name"`
	Message safe.SafeJSON `json:"message"`
}

type promptRow struct {
	Recorded *safe.SafeJSON `json:"recorded"`
	Against  *safe.SafeJSON `json:"against"`
	From     *string        `json:"from"`
	Matches  *bool          `json:"matches"`
}

type pendingRow struct {
	Place
	Live bool `json:"live"`
	toolCallRow
}

// nextRow holds the next numbers. A field is null if the record does not number that item.
type nextRow struct {
	Sequence *int `json:"sequence"`
	Turn     *int `json:"turn"`
}

// statusFilters shows what the specification's status filter would send.
type statusFilters struct {
	Differs  bool         `json:"differs"`
	LeftOut  []leftOutRow `json:"left_out"`
	Problems []problemRow `json:"problems"`
}

type leftOutRow struct {
	Place
	ID       safe.SafeJSON `json:"id"`
	Name     safe.SafeJSON `json:"name"`
	Status   safe.SafeJSON `json:"status"`
	Answered bool          `json:"answered"`
}

// ResumeFailed returns the lens.resume/1 for a conversation that cannot be resumed. r is nil if the run cannot be
// read.
func ResumeFailed(g *safe.Gate, r *model.Run, t *model.Thread, failure *resume.Error) ResumeRow {
	row := ResumeRow{
		Schema: "lens.resume/1", Error: &resumeError{failure.Name, g.JSON(failure.Message)}, Basis: model.NotRecorded.String(),
		Pending: []pendingRow{}, Messages: []EntryRow{}, Problems: []problemRow{},
	}
	if r != nil {
		row.RunID = optional(g, r.ID)
	}
	if t != nil {
		row.ThreadID = optional(g, t.ID)
	}
	return row
}

// Resume returns the lens.resume/1 for a plan. v contains the plan's messages.
func Resume(g *safe.Gate, r *model.Run, p *resume.Plan, prompt resume.Prompt, v *model.View) (ResumeRow, error) {
	row := ResumeRow{
		Schema: "lens.resume/1", RunID: optional(g, r.ID), ThreadID: optional(g, p.Thread.ID), Basis: v.Basis.String(), Prompt: prompted(g, prompt),
		Pending: []pendingRow{}, Next: nextRow{number(p.Sequence), number(p.Turn)}, Messages: []EntryRow{}, Problems: problems(g, p.Problems),
	}
	if p.Paused != nil {
		row.Paused = &markerRow{string(p.Paused.Kind), p.Paused.After, Stamp(p.Paused.At), details(g, p.Paused.Detail)}
	}
	for _, c := range p.Pending {
		args, err := r.Body(c.Call.Args)
		if err != nil {
			return row, err
		}
		row.Pending = append(row.Pending, pendingRow{At(c.Index), c.Live, toolCallRow{g.JSON(c.Call.ID), g.JSON(c.Call.Name), g.Arguments(args), c.Call.Status()}})
	}
	for i := range v.Entries {
		if !v.Entries[i].Sent() {
			continue
		}
		e, err := entryRow(g, r, p.Thread, &v.Entries[i])
		if err != nil {
			return row, err
		}
		row.Messages = append(row.Messages, e)
	}
	if f := p.Filtered; f != nil {
		row.Filter = &statusFilters{Differs: f.Differs(), LeftOut: []leftOutRow{}, Problems: problems(g, f.Problems)}
		for _, o := range f.Out {
			row.Filter.LeftOut = append(row.Filter.LeftOut, leftOutRow{At(o.Index), g.JSON(o.ID), g.JSON(o.Name), g.JSON(o.Status), o.Answered})
		}
	}
	return row, nil
}

func prompted(g *safe.Gate, p resume.Prompt) *promptRow {
	row := &promptRow{Recorded: optional(g, p.Recorded), Against: optional(g, p.Against)}
	if p.From != "" {
		row.From = &p.From
	}
	if matches, known := p.Matches(); known {
		row.Matches = &matches
	}
	return row
}

func problems(g *safe.Gate, list []model.Problem) []problemRow {
	rows := []problemRow{}
	for _, p := range list {
		row := problemRow{Rule: p.Rule, Provider: p.Provider, Message: g.JSON(p.Message)}
		if index, ok := p.Index.Get(); ok {
			row.Place = At(index)
		}
		rows = append(rows, row)
	}
	return rows
}
