package postgres

import (
	"context"

	"agentlens/internal/model"
	"agentlens/internal/remote/store"
	"agentlens/internal/trace/ground/source"
)

// mlflow reads the tables of an MLflow tracking server (mlflow/store/tracking/dbmodels/models.py). A run is a session,
// or a trace without a session.
func mlflow() kind {
	return kind{
		title: "MLflow",
		sign:  "trace_request_metadata",
		needs: map[string][]string{
			"trace_info":             {"request_id", "timestamp_ms", "status"},
			"trace_request_metadata": {"key", "value", "request_id"},
			"trace_tags":             {"key", "value", "request_id"},
			"spans":                  {"trace_id", "span_id", "content", "status", "start_time_unix_nano"},
		},
		list: listMLflow,
		entry: func(r row) source.Entry {
			return source.Entry{ID: r.text(0), Status: model.StatusUnknown, At: model.Time(r.number(1) * 1e6)}
		},
		rows: func(d *database) (from []string) {
			for _, t := range mlflowTables() {
				from = append(from, d.mlflowRows(t.name, t.column))
			}
			return from
		},
		fetch: func(ctx context.Context, d *database, id string) (*source.File, error) {
			var tables []table
			for _, t := range mlflowTables() {
				tables = append(tables, table{name: t.name, query: "SELECT * FROM " + d.mlflowRows(t.name, t.column) + t.order})
			}
			return d.copyRun(ctx, id, tables)
		},
	}
}

// mlflowTables returns the tables of traces, with the column of the trace and the order in which they are copied.
func mlflowTables() []struct{ name, column, order string } {
	return []struct{ name, column, order string }{
		{"trace_info", "request_id", " ORDER BY timestamp_ms, request_id"},
		{"trace_request_metadata", "request_id", ""},
		{"trace_tags", "request_id", ""},
		{"spans", "trace_id", " ORDER BY start_time_unix_nano"},
	}
}

// mlflowRows returns the rows of a table that belong to the session $1, or to the trace $1.
func (d *database) mlflowRows(table, column string) string {
	mine := "(SELECT m.request_id FROM " + d.table("trace_request_metadata") + " m WHERE m.key = 'mlflow.trace.session' AND m.value = $1 UNION SELECT $1)"
	return d.table(table) + " r WHERE " + column + " IN " + mine
}

// listMLflow lists the sessions and single traces.
func listMLflow(s *statement, f store.Filter) {
	session := "(SELECT m.value FROM " + s.table("trace_request_metadata") + " m WHERE m.request_id = t.request_id AND m.key = 'mlflow.trace.session')"
	s.columns = "coalesce(" + session + ", t.request_id) AS run, min(t.timestamp_ms) AS started"
	s.from = s.table("trace_info") + " t"
	if !f.Since.IsZero() {
		s.where = append(s.where, "t.timestamp_ms + coalesce(t.execution_time_ms, 0) >= "+s.arg(f.Since.UnixMilli()))
		s.answers(store.Since)
	}
	if !f.Until.IsZero() {
		s.where = append(s.where, "t.timestamp_ms < "+s.arg(f.Until.UnixMilli()+1))
		s.answers(store.Until)
	}
	related := "(SELECT o.request_id FROM " + s.table("trace_request_metadata") + " o WHERE o.key = 'mlflow.trace.session' AND o.value = " + session + " UNION SELECT t.request_id)"
	within := func(condition string) string {
		return "EXISTS (SELECT 1 FROM " + s.table("spans") + " s WHERE s.trace_id IN " + related + " AND " + condition + ")"
	}
	only := func(part store.Part, condition string) {
		s.where = append(s.where, condition)
		s.answers(part)
	}
	if f.Failed {
		only(store.Failed, within("(s.status LIKE '%ERROR' OR "+s.matches("s.content", store.FailedTool)+")"))
	}
	switch {
	case f.Status == string(model.StatusFailed):
		only(store.Status, within("(s.status LIKE '%ERROR' OR "+s.matches("s.content", `code\W*\w*ERROR`)+")"))
	case f.Status != "" && !store.OfSpans(f.Status):
		only(store.Status, "false")
	}
	if f.Model != "" {
		only(store.Model, within(s.matches("s.content", store.Holds(f.Model))))
	}
	if f.Text != "" {
		only(store.Text, within(s.matches("s.content", store.Holds(f.Text))))
	}
	s.group, s.order = "1", "max(t.timestamp_ms + coalesce(t.execution_time_ms, 0))"+direction(f)+", 1"
	s.answers(store.Sort)
	s.bound(f)
}
