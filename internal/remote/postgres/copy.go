package postgres

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"

	"agentlens/internal/remote/store"
	"agentlens/internal/trace/ground/source"
	"agentlens/internal/trace/ground/sqlite"
)

// A table of a run is copied with the statement that selects its rows.
type table struct {
	name     string // in the copy
	query    string
	index    []string // columns that the reader looks rows up by
	optional bool     // the server may lack it
}

// copyRun copies the rows of a run to an SQLite database, all from one state of the server. Without a row, the run is gone.
func (d *database) copyRun(ctx context.Context, id string, tables []table) (*source.File, error) {
	path := filepath.Join(d.opt.Folder, store.FileName(id)+".db")
	rows := 0
	err := sqlite.Create(path, func(w *sqlite.Writer) error {
		rows = 0
		return d.read(ctx, func(tx pgx.Tx) error {
			for _, t := range tables {
				if t.optional && !d.has(t.name) {
					continue
				}
				n, err := copyTable(ctx, tx, w, t, id)
				if err != nil {
					return err
				}
				if rows += n; n > 0 && t.index != nil {
					err = w.Index(t.name, t.index...)
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
	})
	if err == nil && rows == 0 {
		os.Remove(path)
		err = store.Gone(d.name, id)
	}
	if err != nil {
		return nil, err
	}
	return source.Open(path)
}

// copyTable copies rows and returns their number. $1 of the statement is the id of the run.
func copyTable(ctx context.Context, tx pgx.Tx, w *sqlite.Writer, t table, id string) (n int, err error) {
	var args []any
	if strings.Contains(t.query, "$1") {
		args = []any{id}
	}
	var values []any
	create := func(r row) error {
		values = make([]any, len(r.names))
		return w.Table(t.name, r.names) // also without rows: the tables show the format
	}
	err = eachOf(ctx, tx, t.query, args, create, func(r row) error {
		n++
		for i := range values {
			if values[i], err = r.value(i); err != nil {
				return fmt.Errorf("column %s: %w", r.names[i], err)
			}
		}
		return w.Row(t.name, values)
	})
	return n, err
}
