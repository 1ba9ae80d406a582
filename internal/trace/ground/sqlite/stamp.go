package sqlite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"time"

	"agentlens/internal/trace/ground/source"
)

// Sizes in the file formats of SQLite: the header of a database, the part of it
// that never changes (magic and page size), the header of a log.
const (
	headerLen = 100
	identLen  = 18
	logHeader = 32
)

// walFormat is byte 18 of the header of a database in WAL mode.
const walFormat = 2

// tick is more than the step of file times on the usual file systems: a file
// written within it may be written again without its time telling.
const tick = 20 * time.Millisecond

// lockFree names the file system layer of SQLite that takes no locks. The one
// for Windows has not been tried.
func lockFree() string {
	if runtime.GOOS == "windows" {
		return "win32-none"
	}
	return "unix-none"
}

var errNotRegular = errors.New("not a regular file")

// A stamp is how the files of a database look at one moment.
type stamp struct{ db, log, journal fileStamp }

type fileStamp struct {
	size, mtime int64
	head        [headerLen]byte
	err         error
}

func stampOf(path string) stamp {
	return stamp{statFile(path, headerLen), statFile(path+"-wal", logHeader), statFile(path+"-journal", 1)}
}

// statFile looks at a file and its first bytes; a file that is not there has no
// size and, but for the database itself, that is all there is to say of it.
func statFile(path string, head int) (s fileStamp) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		var at *fs.PathError
		if errors.As(err, &at) {
			err = at.Err // comparable, and without the path
		}
		return fileStamp{err: err}
	}
	s.size, s.mtime = info.Size(), info.ModTime().UnixNano()
	f, err := os.Open(path)
	if err != nil {
		return fileStamp{err: errors.Unwrap(err)}
	}
	defer f.Close()
	if _, err := f.ReadAt(s.head[:head], 0); err != nil && err != io.EOF {
		s.err = errors.Unwrap(err)
	}
	return s
}

// unreadable says what of a database is there and cannot be read: without its
// log it would be shown without its newest rows.
func (s stamp) unreadable(path string) error {
	if s.db.err != nil {
		return fmt.Errorf("open %s: %w", path, s.db.err)
	}
	for suffix, side := range map[string]fileStamp{"-wal": s.log, "-journal": s.journal} {
		if side.err != nil && !errors.Is(side.err, fs.ErrNotExist) {
			return &source.UnreadableError{Path: path + suffix, Err: fmt.Errorf("belongs to the database and cannot be read: %w", side.err)}
		}
	}
	return nil
}

// logged reports whether there is a log with anything in it.
func (s stamp) logged() bool { return s.log.size > logHeader }

// hot reports whether a transaction is under way in a rollback journal, or was
// when its writer died. A finished journal is absent, empty or has a zeroed head.
func (s stamp) hot() bool { return s.journal.size > 0 && s.journal.head[0] != 0 }

// fresh reports whether the database was written so lately that its time would
// not tell of another write. Without a write-ahead log every write moves the
// change counter in its header, and that tells.
func (s stamp) fresh(now time.Time) bool {
	if s.db.head[identLen] != walFormat {
		return false
	}
	age := now.UnixNano() - s.db.mtime
	return age > -int64(tick) && age < int64(tick)
}

// movedTo reports whether a reader that began at s and ended at t may have read
// parts of two states. A log that only grew does no harm: its reader keeps to
// the end it found.
func (s stamp) movedTo(t stamp) bool {
	return s.db != t.db || s.log.head != t.log.head || t.log.size < s.log.size || t.hot()
}

// checkHeader says what is wrong with a file that is no whole database.
func checkHeader(f *source.File) error {
	bad := func(format string, args ...any) error {
		return &source.UnreadableError{Path: f.Path, Err: fmt.Errorf(format, args...)}
	}
	switch {
	case f.Dir:
		return bad("a folder; an SQLite database was expected")
	case f.Size() == 0:
		return bad("the file is empty; an SQLite database was expected")
	case !f.IsSQLite():
		return bad("not an SQLite database: it does not begin with \"SQLite format 3\"")
	case len(f.Head) < headerLen:
		return bad("the file ends after byte %d, inside the header of an SQLite database; copy it again", len(f.Head))
	}
	return nil
}

// missing says how much of a database that was cut short is there; "" when its
// header agrees with its size, or does not tell.
func missing(s stamp) string {
	head := s.db.head[:]
	page := int64(binary.BigEndian.Uint16(head[16:]))
	if page == 1 {
		page = 65536
	}
	pages := int64(binary.BigEndian.Uint32(head[28:]))
	// The count holds only where it was written together with the change counter.
	valid := string(head[24:28]) == string(head[92:96])
	if page == 0 || !valid || pages*page <= s.db.size {
		return ""
	}
	return fmt.Sprintf("only %d of its %d pages are here; copy it again, with the -wal file beside it if there is one", s.db.size/page, pages)
}

// codeOf is the primary result code of an error of SQLite; 0 of any other.
func codeOf(err error) int32 {
	var f *fault
	if errors.As(err, &f) {
		return f.code & 0xff
	}
	return 0
}

// explain says of an error of SQLite what it means for the source.
func (db *DB) explain(err error) error {
	var f *fault
	if !errors.As(err, &f) {
		return err
	}
	hint := "SQLite cannot read it"
	switch cut := missing(stampOf(db.path)); {
	case cut != "":
		hint = "half a database: " + cut
	case codeOf(err) == codeNotDB:
		hint = "not a readable SQLite database: its pages may be encrypted or overwritten"
	case codeOf(err) == codeCorrupt:
		hint = "a damaged database; salvage it with: sqlite3 damaged.db .recover | sqlite3 mended.db"
	}
	return &source.UnreadableError{Path: db.file.Path, Err: fmt.Errorf("%s (%w)", hint, f)}
}

// uri writes a path as a URI, so that no character of it is taken for syntax.
func uri(path, query string) string {
	path = strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23", "\\", slash()).Replace(path)
	if runtime.GOOS == "windows" {
		path = "/" + path
	}
	return "file:" + path + "?" + query
}

func slash() string {
	if runtime.GOOS == "windows" {
		return "/"
	}
	return "\\"
}
