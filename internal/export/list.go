package export

import (
	"agentlens/internal/library/catalog"
	"agentlens/internal/safe"
)

// ListedRow is the RUN object of lens.list/1.
type ListedRow struct {
	RunRow
	Pipeline    safe.SafeJSON `json:"pipeline"`
	Agent       safe.SafeJSON `json:"agent"`
	Errors      int           `json:"errors"`
	Compactions int           `json:"compactions"`
	SubAgents   int           `json:"sub_agents"`
	Warnings    int           `json:"warnings"`
}

// Listed returns the RUN object of lens.list/1 for a catalogue row.
func Listed(row *catalog.Row) ListedRow {
	return ListedRow{
		RunRow{
			ID: row.ID, Title: row.Title, Source: row.Source, Format: row.Format, Status: string(row.Status),
			StartedAt: Stamp(row.Started), EndedAt: Stamp(row.Ended), Models: append([]safe.SafeJSON{}, row.Models...),
			Threads: row.Threads, Messages: row.Messages, ToolCalls: row.ToolCalls, Pending: row.Pending, Calls: row.Calls,
			Usage: Used(row.Usage),
		},
		row.Pipeline, row.Agent, row.Errors, row.Compactions, row.SubAgents, row.Warnings,
	}
}
