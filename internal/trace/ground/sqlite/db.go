package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"agentlens/internal/trace/ground/source"
)

// attempts is how often a changing database is read before it is copied, and how often
// copying is tried. firstPause is the first pause between attempts; it doubles each time.
const (
	attempts   = 4
	firstPause = 25 * time.Millisecond
)

var errMoved = errors.New("the database is being written faster than it can be read: try again when its writer rests, or open a copy of it")

// A DB is an SQLite database opened for reading. It is safe for use by several
// goroutines, which take turns.
type DB struct {
	mu   sync.Mutex
	file *source.File
	path string // of the file that is read: the source itself or a private copy
	dir  string // folder of the private copy; "" when the source itself is read

	conn *conn // nil if no connection is open
	seen stamp // of the files when conn was opened
}

// Open opens f, which must be an SQLite database. It first copies a source that is not a file
// with the same bytes (unpacked, or from standard input). Errors are [source.UnreadableError]
// or errors of the file system. The caller closes the DB.
func Open(ctx context.Context, f *source.File) (*DB, error) {
	db := &DB{file: f}
	if err := checkHeader(f); err != nil {
		return nil, err
	}
	db.path = onDisk(f)
	if db.path == "" {
		if err := db.spool(ctx); err != nil {
			db.Close()
			return nil, err
		}
	}
	// Read the schema, so that a file that is not a database fails here.
	err := db.Read(ctx, func(tx *Tx) error { _, err := tx.Tables(); return err })
	if err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// Sniff returns the result of look for f. It returns false if f is not an SQLite database or
// cannot be read; it then records the fault in f, and later sniffers skip f.
func Sniff(f *source.File, look func(*Tx) (bool, error)) bool {
	if !f.IsSQLite() || f.Fault != nil {
		return false
	}
	db, err := Open(context.Background(), f)
	if err != nil {
		f.Fault = err
		return false
	}
	defer db.Close()
	yes := false
	f.Fault = db.Read(context.Background(), func(tx *Tx) error {
		yes, err = look(tx)
		return err
	})
	return yes && f.Fault == nil
}

// Read runs fn in one read transaction. If the database changes meanwhile, fn runs
// again from the start, so it must reset its results each time. Each Read sees what
// was written before it began. After a database changed too fast to be read in place,
// every later Read sees a private copy.
func (db *DB) Read(ctx context.Context, fn func(*Tx) error) error {
	db.mu.Lock()
	defer db.mu.Unlock()
	for i := range attempts {
		err := db.once(ctx, fn)
		if !errors.Is(err, errMoved) {
			return err
		}
		if err := pause(ctx, i); err != nil {
			return err
		}
	}
	if err := db.copyAside(ctx); err != nil {
		return err
	}
	return db.once(ctx, fn)
}

// Close closes the database and removes the private copy, if one was made.
func (db *DB) Close() error {
	db.mu.Lock()
	defer db.mu.Unlock()
	err := db.drop()
	if db.dir != "" {
		err = errors.Join(err, os.RemoveAll(db.dir))
		db.dir = ""
	}
	return err
}

func (db *DB) drop() error {
	if db.conn == nil {
		return nil
	}
	err := db.conn.close()
	db.conn = nil
	return err
}

// once runs fn and returns errMoved if its results may mix two states.
func (db *DB) once(ctx context.Context, fn func(*Tx) error) error {
	before := stampOf(db.path)
	if err := before.unreadable(db.file.Path); err != nil {
		return err
	}
	mine := db.dir != "" // no other program writes the private copy
	if !mine && (before.hot() || before.fresh(time.Now())) {
		return errMoved
	}
	if before != db.seen {
		db.drop()
	}
	err := db.connect(before)
	if err == nil {
		err = db.run(ctx, fn)
	}
	if err != nil {
		db.drop() // do not use a failed connection again
	}
	if !mine && ctx.Err() == nil && before.movedTo(stampOf(db.path)) {
		db.drop()
		return errMoved
	}
	if code := codeOf(err); (code == codeCorrupt || code == codeNotDB) && !mine && before.logged() {
		return errMoved // a live writer can cause these
	}
	return db.explain(err)
}

func (db *DB) run(ctx context.Context, fn func(*Tx) error) error {
	defer db.conn.interruptOn(ctx)()
	err := db.conn.exec("BEGIN")
	if err == nil {
		err = fn(&Tx{ctx: ctx, conn: db.conn, columns: map[string][]string{}})
	}
	if err == nil {
		err = db.conn.exec("COMMIT")
	}
	if ended := ctx.Err(); ended != nil && (err == nil || codeOf(err) == codeInterrupt) {
		return ended
	}
	return err
}

// connect opens the files in the state s, unless they are already open.
func (db *DB) connect(s stamp) error {
	if db.conn != nil {
		return nil
	}
	how, setup := "immutable=1", ""
	if s.logged() {
		how, setup = "vfs="+lockFree(), "PRAGMA locking_mode(exclusive);"
	}
	c, err := connect(uri(db.path, "mode=ro&"+how), setup+`
		PRAGMA busy_timeout(300); PRAGMA query_only(1); PRAGMA trusted_schema(0);
		PRAGMA cell_size_check(1); PRAGMA mmap_size(0)`)
	if err != nil {
		return err
	}
	if err := c.keepLog(); err != nil {
		c.close()
		return err
	}
	db.conn, db.seen = c, s
	return nil
}

func pause(ctx context.Context, attempt int) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(firstPause << attempt):
		return nil
	}
}

// onDisk returns the path of the regular file with the bytes of f, or "". It resolves links,
// because SQLite looks for the log next to the real file.
func onDisk(f *source.File) string {
	if f.Path == "-" {
		return ""
	}
	path, err := filepath.EvalSymlinks(f.Path)
	if err != nil {
		return ""
	}
	if path, err = filepath.Abs(path); err != nil {
		return ""
	}
	s := statFile(path, headerLen)
	// A writer may have changed the rest of the header since f was opened.
	if s.err != nil || string(s.head[:identLen]) != string(f.Head[:identLen]) {
		return ""
	}
	return path
}
