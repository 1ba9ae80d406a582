package rows

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/source"
	"agentlens/internal/trace/ground/sqlite"
)

// A Reader reads the runs of a database. It is opened anew for each look, so
// that no connection is held between them and each sees the newest rows.
type Reader struct {
	File   *source.File
	Format string // name of the family
	// Entries lists the runs, in source order.
	Entries func(tx *sqlite.Tx) ([]source.Entry, error)
	// Run reads one of them into the desk. It may be called again with a new
	// desk when the database was written in between.
	Run func(d *Builder, tx *sqlite.Tx, e source.Entry) error
}

// List names the runs in source order.
func (r *Reader) List(ctx context.Context) (entries []source.Entry, err error) {
	err = r.look(ctx, func(tx *sqlite.Tx) error {
		entries, err = r.Entries(tx)
		return err
	})
	return entries, err
}

// Load reads one run.
func (r *Reader) Load(ctx context.Context, id string, _ source.Options) (run *model.Run, err error) {
	err = r.look(ctx, func(tx *sqlite.Tx) error {
		entries, err := r.Entries(tx)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(entries, func(e source.Entry) bool { return e.ID == id })
		if i < 0 {
			return &source.UnreadableError{Path: r.File.Path, Err: fmt.Errorf("no run %q among its %d runs", id, len(entries))}
		}
		d := NewBuilder(r.File, r.Format, entries[i])
		if err := r.Run(d, tx, entries[i]); err != nil {
			return err
		}
		run = d.Finish()
		return nil
	})
	return run, err
}

func (r *Reader) look(ctx context.Context, fn func(*sqlite.Tx) error) error {
	db, err := sqlite.Open(ctx, r.File)
	if err != nil {
		return err
	}
	defer db.Close()
	return db.Read(ctx, fn)
}

// RowID is the name under which [Each] gives the number of a row.
const RowID = sqlite.RowID

// Each calls yield for the rows of table with those of the wanted columns that
// it has, none wanted meaning all, and their numbers under [RowID]. A table that
// is not there has no rows. tail may name columns of the table only.
func Each(tx *sqlite.Tx, table string, want []string, tail string, args []any, yield func(sqlite.Row) error) error {
	return tx.Numbered(table, want, tail, args, yield)
}

// Has reports whether table is there with all the columns. It is meant for sniffing.
func Has(tx *sqlite.Tx, table string, columns ...string) bool {
	have, err := tx.Columns(table)
	if err != nil || len(have) == 0 {
		return false
	}
	for _, col := range columns {
		if !slices.Contains(have, col) {
			return false
		}
	}
	return true
}

// Quote writes a name as SQL takes it.
func Quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
