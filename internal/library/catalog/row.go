package catalog

import (
	"fmt"

	"agentlens/internal/model"
	"agentlens/internal/safe"
)

// A Row is the catalogue entry of one run. Its texts passed the gate.
type Row struct {
	ID, Title, Source safe.SafeJSON
	Pipeline, Agent   safe.SafeJSON // "" where the record names none
	Path              string        // of the file, to open it; not for display
	Format            string
	Status            model.Status
	Started, Ended    model.Time
	Models            []safe.SafeJSON

	model.Counts
	// Errors counts failed tool calls, Compactions compaction markers, SubAgents threads of
	// sub-agents.
	Errors, Compactions, SubAgents int
	Warnings                       int

	Usage   model.Usage
	Tools   []Tool  // by first use
	ByModel []Spent // by first use; calls without a model are under ""
}

// A Tool counts the calls of one tool.
type Tool struct {
	Name                   safe.SafeJSON
	Calls, Failed, Pending int
}

// Spent is the usage of one model.
type Spent struct {
	Model safe.SafeJSON
	Calls int
	Usage model.Usage
}

// Of returns the row of a run.
func Of(g *safe.Gate, r *model.Run) Row {
	row := Row{
		ID: g.JSON(r.ID), Title: g.JSON(r.Title), Source: g.JSON(r.Source), Pipeline: g.JSON(r.Pipeline), Agent: g.JSON(r.Agent),
		Format: r.Format, Status: r.Status, Started: r.StartedAt, Ended: r.EndedAt,
		Counts: r.Counts(), Usage: r.TotalUsage(), Warnings: len(r.Warnings),
	}
	if row.Status == "" {
		row.Status = model.StatusUnknown
	}
	for _, m := range r.Models() {
		row.Models = append(row.Models, g.JSON(m))
	}
	tools, models := map[string]int{}, map[string]int{}
	for _, t := range r.Threads {
		row.addThread(g, t, tools, models)
	}
	return row
}

func (row *Row) addThread(g *safe.Gate, t *model.Thread, tools, models map[string]int) {
	if t.Kind == "sub-agent" {
		row.SubAgents++
	}
	for i := range t.Markers {
		if t.Markers[i].Kind == model.Compaction {
			row.Compactions++
		}
	}
	for i := range t.Len() {
		for j := range t.At(i).Calls {
			row.addCall(g, t, &t.At(i).Calls[j], tools)
		}
	}
	for i := range t.Calls {
		c := &t.Calls[i]
		at, ok := models[c.Model]
		if !ok {
			at = len(row.ByModel)
			models[c.Model] = at
			row.ByModel = append(row.ByModel, Spent{Model: g.JSON(c.Model)})
		}
		row.ByModel[at].Calls++
		row.ByModel[at].Usage.Add(c.Usage)
	}
}

func (row *Row) addCall(g *safe.Gate, t *model.Thread, c *model.ToolCall, tools map[string]int) {
	at, ok := tools[c.Name]
	if !ok {
		at = len(row.Tools)
		tools[c.Name] = at
		row.Tools = append(row.Tools, Tool{Name: g.JSON(c.Name)})
	}
	tool := &row.Tools[at]
	tool.Calls++
	if c.Pending() {
		tool.Pending++
	}
	if result, ok := c.Result.Get(); c.Failed || ok && t.At(result).IsError {
		tool.Failed++
		row.Errors++
	}
}

// Tokens returns the total size of the prompts and replies of a run. ok is false if the sizes are not recorded.
func (row *Row) Tokens() (n int64, ok bool) { return row.Usage.Total() }

// Cost formats a recorded cost, "–" for none: in cents, or in hundredths of a cent below
// one cent.
func Cost(u model.Usage) string {
	switch {
	case u.Known&model.UsageCost == 0:
		return "–"
	case u.CostUSD > 0 && u.CostUSD < 0.0001:
		return "<$0.0001"
	case u.CostUSD > 0 && u.CostUSD < 0.01:
		return fmt.Sprintf("$%.4f", u.CostUSD)
	}
	return fmt.Sprintf("$%.2f", u.CostUSD)
}

// At returns the start time of the run, or its end time if the start is not recorded.
func (row *Row) At() model.Time {
	if row.Started != 0 {
		return row.Started
	}
	return row.Ended
}
