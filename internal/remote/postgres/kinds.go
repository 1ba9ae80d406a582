package postgres

import (
	"context"
	"slices"

	"agentlens/internal/remote/store"
	"agentlens/internal/trace/ground/source"
)

// A kind is a program that keeps its runs in tables.
type kind struct {
	title string
	sign  string              // a table that only this kind has
	needs map[string][]string // tables with the columns that lens reads, without optional ones

	// list builds the statement that lists the runs of a filter.
	list func(*statement, store.Filter)
	// entry returns the run of a row of that statement.
	entry func(row) source.Entry
	// rows returns the clauses that select the rows of the run $1, each after FROM. d.has reports optional tables.
	rows func(d *database) []string
	// fetch copies one run to a file.
	fetch func(ctx context.Context, d *database, id string) (*source.File, error)
}

// kinds returns the known kinds. To add one, add a line here and a file with its statements.
func kinds() []kind { return []kind{langgraph(), phoenix(), mlflow(), flujo()} }

// missing returns a table or column that the kind needs but a schema lacks, or "". found reports whether the
// schema holds tables of the kind.
func (k kind) missing(have map[string]map[string]bool) (name string, found bool) {
	if have[k.sign] == nil {
		return "", false
	}
	tables := make([]string, 0, len(k.needs))
	for table := range k.needs {
		tables = append(tables, table)
	}
	slices.Sort(tables)
	for _, table := range tables {
		if have[table] == nil {
			return "table " + table, true
		}
		for _, column := range k.needs[table] {
			if !have[table][column] {
				return "column " + table + "." + column, true
			}
		}
	}
	return "", true
}
