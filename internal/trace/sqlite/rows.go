package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Tx is one consistent look at a database.
type Tx struct {
	ctx context.Context
	tx  *sql.Tx
}

// Tables lists the tables by name.
func (tx *Tx) Tables() ([]string, error) {
	return tx.names("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
}

// Columns lists the columns of table in their order; none when there is no such table.
func (tx *Tx) Columns(table string) ([]string, error) {
	return tx.names("SELECT name FROM pragma_table_info(?)", table)
}

func (tx *Tx) names(query string, args ...any) (names []string, err error) {
	err = tx.Query(query, args, func(r Row) error {
		names = append(names, r.Text("name"))
		return nil
	})
	return names, err
}

// Query calls yield for every row of a query. The row is good until the next one.
func (tx *Tx) Query(query string, args []any, yield func(Row) error) error {
	return tx.query(query, nil, args, yield)
}

// query is Query under other names of the columns than the query gives them.
func (tx *Tx) query(query string, names []string, args []any, yield func(Row) error) error {
	rows, err := tx.tx.QueryContext(tx.ctx, query, args...)
	if err != nil {
		return fmt.Errorf("query %q: %w", query, err)
	}
	defer rows.Close()
	row := Row{cols: names}
	if names == nil {
		if row.cols, err = rows.Columns(); err != nil {
			return err
		}
	}
	row.vals = make([]any, len(row.cols))
	into := make([]any, len(row.cols))
	for i := range into {
		into[i] = &row.vals[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return fmt.Errorf("query %q: %w", query, err)
		}
		if err := yield(row); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("query %q: %w", query, err)
	}
	return nil
}

// RowID is the name under which [Tx.Numbered] gives the number of a row.
const RowID = "_row"

// Select calls yield for the rows of table, with those of the wanted columns
// that the table has; none wanted means all. A table that is not there has no
// rows. tail ("WHERE run_id = ? ORDER BY id") may name columns of the table only.
func (tx *Tx) Select(table string, want []string, tail string, args []any, yield func(Row) error) error {
	return tx.selectFrom(table, want, nil, tail, args, yield)
}

// Numbered is Select with the number of each row under [RowID].
func (tx *Tx) Numbered(table string, want []string, tail string, args []any, yield func(Row) error) error {
	return tx.selectFrom(table, want, []string{RowID}, tail, args, yield)
}

func (tx *Tx) selectFrom(table string, want, names []string, tail string, args []any, yield func(Row) error) error {
	have, err := tx.Columns(table)
	if err != nil || len(have) == 0 {
		return err
	}
	var list []string
	for range names {
		list = append(list, "rowid")
	}
	for _, col := range have {
		if len(want) == 0 || slices.Contains(want, col) {
			// The sign makes an expression of the column: the driver would turn
			// what is declared a date into another text. It goes by no name of the
			// table, or ORDER BY would sort by the expression and use no index.
			list = append(list, fmt.Sprintf("+%s AS lens_%d", quote(col), len(list)))
			names = append(names, col)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return tx.query("SELECT "+strings.Join(list, ", ")+" FROM "+quote(table)+" "+tail, names, args, yield)
}

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// A Row is one row of a query. Columns are asked for by name, several names
// meaning the first that the row has and that is not NULL: schemas change.
type Row struct {
	cols []string
	vals []any
}

// Columns lists the columns of the row.
func (r Row) Columns() []string { return r.cols }

// Value is the first value there is, or nil: int64, float64, string or []byte.
func (r Row) Value(names ...string) any {
	for _, name := range names {
		if i := slices.Index(r.cols, name); i >= 0 && r.vals[i] != nil {
			return r.vals[i]
		}
	}
	return nil
}

// Text is the first value there is as text; "" when there is none.
func (r Row) Text(names ...string) string {
	switch v := r.Value(names...).(type) {
	case string:
		return v
	case []byte:
		return string(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case time.Time:
		return v.Format(time.RFC3339Nano)
	}
	return ""
}

// Int is the first value there is as an integer; ok is false when it is none.
func (r Row) Int(names ...string) (n int64, ok bool) {
	switch v := r.Value(names...).(type) {
	case int64:
		return v, true
	case float64:
		return int64(v), v == float64(int64(v))
	case string:
		n, err := strconv.ParseInt(v, 10, 64)
		return n, err == nil
	}
	return 0, false
}

// Float is the first value there is as a number; ok is false when it is none.
func (r Row) Float(names ...string) (x float64, ok bool) {
	switch v := r.Value(names...).(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	case string:
		x, err := strconv.ParseFloat(v, 64)
		return x, err == nil
	}
	return 0, false
}
