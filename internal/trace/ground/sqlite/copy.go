package sqlite

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"agentlens/internal/trace/ground/source"
)

// spool writes the bytes of a source that is not a file to a private file.
func (db *DB) spool(ctx context.Context) error {
	if err := db.makeDir(); err != nil {
		return err
	}
	return copyTo(ctx, db.path, io.NewSectionReader(db.file, 0, db.file.Size()))
}

// copyAside copies the database, its log and its journal, all in one state, and uses the copy
// from then on.
func (db *DB) copyAside(ctx context.Context) error {
	db.drop()
	from := db.path
	if err := db.makeDir(); err != nil {
		return err
	}
	for i := range attempts {
		before := stampOf(from)
		if before.db.err != nil {
			return fmt.Errorf("open %s: %w", db.file.Path, before.db.err)
		}
		err := db.copyState(ctx, from, before)
		after := stampOf(from)
		still := before.journal == after.journal && before.db == after.db && !before.fresh(time.Now())
		if before.hot() {
			still = still && after.hot()
		} else {
			still = still && !before.movedTo(after)
		}
		if still && err == nil {
			return db.rollBack(ctx, before)
		}
		if err != nil && (still || ctx.Err() != nil) {
			return err
		}
		if err := pause(ctx, i); err != nil {
			return err
		}
	}
	return &source.UnreadableError{Path: db.file.Path, Err: errMoved}
}

func (db *DB) copyState(ctx context.Context, from string, s stamp) error {
	for _, part := range []struct {
		suffix string
		file   fileStamp
		want   bool
	}{{"", s.db, true}, {"-wal", s.log, s.logged()}, {"-journal", s.journal, s.hot()}} {
		os.Remove(db.path + part.suffix)
		if !part.want {
			continue
		}
		in, err := os.Open(from + part.suffix)
		if err != nil {
			return err
		}
		err = copyTo(ctx, db.path+part.suffix, io.NewSectionReader(in, 0, part.file.size))
		in.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// rollBack lets SQLite roll back an unfinished transaction in the private copy.
func (db *DB) rollBack(ctx context.Context, s stamp) error {
	if !s.hot() {
		return nil
	}
	c, err := connect(uri(db.path, "mode=rw"), "PRAGMA locking_mode(exclusive); PRAGMA trusted_schema(0)")
	if err != nil {
		return db.explain(err)
	}
	stop := c.interruptOn(ctx)
	err = c.exec("SELECT count(*) FROM sqlite_master")
	stop()
	if closing := c.close(); err == nil {
		err = closing
	}
	if ended := ctx.Err(); ended != nil {
		return ended
	}
	return db.explain(err)
}

func (db *DB) makeDir() error {
	dir, err := os.MkdirTemp("", "lens-sqlite-*")
	if err != nil {
		return fmt.Errorf("make a folder for a copy of %s: %w", db.file.Path, err)
	}
	db.dir, db.path = dir, filepath.Join(dir, "copy.db")
	return nil
}

func copyTo(ctx context.Context, path string, in io.Reader) error {
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, &cancellable{ctx, in})
	if closing := out.Close(); err == nil {
		err = closing
	}
	return err
}

// A cancellable reader fails when its context ends.
type cancellable struct {
	ctx context.Context
	in  io.Reader
}

func (c *cancellable) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.in.Read(p)
}
