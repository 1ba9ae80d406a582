package postgres

import (
	"context"
	"maps"
	"slices"

	"agentlens/internal/model"
	"agentlens/internal/remote/store"
	"agentlens/internal/trace/ground/source"
)

// flujo reads the tables of flujo's PostgreSQL backend (flujo/state/backends/postgres.py), which are those of its
// SQLite backend.
func flujo() kind {
	return kind{
		title: "flujo",
		sign:  "workflow_state",
		needs: map[string][]string{
			"runs":           {"run_id", "pipeline_name", "status", "created_at"},
			"workflow_state": {"run_id", "pipeline_context", "step_history", "status", "created_at"},
			"steps":          {"id", "run_id", "step_name", "output"},
		},
		list: listFlujo,
		entry: func(r row) source.Entry {
			title := r.text(2)
			if title == "unknown" {
				title = ""
			}
			return source.Entry{ID: r.text(0), Title: title, Status: model.StatusUnknown, At: r.time(1)}
		},
		rows: func(d *database) (from []string) {
			for _, t := range flujoTables() {
				if d.has(t.name) {
					from = append(from, d.table(t.name)+" r WHERE "+t.where)
				}
			}
			return from
		},
		fetch: func(ctx context.Context, d *database, id string) (*source.File, error) {
			var tables []table
			for _, t := range flujoTables() {
				tables = append(tables, table{name: t.name, optional: true, query: "SELECT * FROM " + d.table(t.name) + " WHERE " + t.where + t.order})
			}
			return d.copyRun(ctx, id, tables)
		},
	}
}

// flujoTables returns the tables of a run, with the condition for its rows and the order in which they are copied.
func flujoTables() []struct{ name, where, order string } {
	return []struct{ name, where, order string }{
		{"runs", "run_id = $1", ""},
		{"workflow_state", "run_id = $1 OR parent_run_id = $1", ""},
		{"steps", "run_id = $1", " ORDER BY id"},
		{"spans", "run_id = $1", " ORDER BY id"},
		{"traces", "run_id = $1", ""},
		{"evaluations", "run_id = $1", " ORDER BY id"},
	}
}

// statusNames maps a status to flujo's name for it.
var statusNames = map[string][]string{
	string(model.StatusRunning): {"running"}, string(model.StatusPaused): {"paused"}, string(model.StatusCompleted): {"completed"},
	string(model.StatusFailed): {"failed", "error"}, string(model.StatusCancelled): {"cancelled"},
}

// listFlujo lists the runs. A step or a span of a run may be later than the time in its row, so runs that are
// still active are never excluded by time.
func listFlujo(s *statement, f store.Filter) {
	s.from = s.table("runs") + " r FULL JOIN " + s.table("workflow_state") + " w ON w.run_id = r.run_id"
	s.columns = "coalesce(r.run_id, w.run_id) AS run, coalesce(r.created_at, w.created_at) AS started, coalesce(nullif(r.pipeline_name, 'unknown'), w.pipeline_name)"
	if !f.Since.IsZero() {
		at := s.arg(f.Since)
		s.where = append(s.where, "(greatest(r.created_at, r.updated_at, w.created_at, w.updated_at) >= "+at+
			" OR EXISTS (SELECT 1 FROM "+s.table("steps")+" p WHERE p.run_id = coalesce(r.run_id, w.run_id) AND p.created_at >= "+at+"))")
		s.answers(store.Since)
	}
	if !f.Until.IsZero() {
		s.where = append(s.where, "least(r.created_at, w.created_at) < "+s.arg(f.Until))
		s.answers(store.Until)
	}
	if f.Status != "" {
		// A row with any other status has the status of its spans.
		s.where = append(s.where, "(r.status = ANY("+s.arg(statusNames[f.Status])+") OR w.status = ANY("+s.arg(statusNames[f.Status])+
			") OR coalesce(w.status, r.status) <> ALL("+s.arg(slices.Concat(slices.Collect(maps.Values(statusNames))...))+"))")
		s.answers(store.Status)
	}
	s.order = "greatest(r.created_at, r.updated_at, w.created_at, w.updated_at)" + direction(f) + ", 1"
	s.answers(store.Sort)
	s.bound(f)
}
