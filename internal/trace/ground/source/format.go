package source

import (
	"context"
	"fmt"

	"agentlens/internal/model"
)

// A Format is one family of records lens can read: a row of the table in
// package trace.
type Format struct {
	Name  string // the family's folder name, as RUN.format gives it
	Title string // for a person: "Claude Code session"
	// Proven says what the reader was tested on: "genuine files" or "second-hand".
	Proven string
	// Places are where such files live. One that begins with ~/, ./ or ${ is a
	// pattern that is searched: ~ is the home folder, ${NAME:-default} a variable
	// of the environment, * any part of a name. The others are words for a person.
	Places []string
	// Settings names further places that a program's own settings tell; nil for none.
	Settings func(env func(string) string) []string
	// Beside names the files beside path that belong to the same run, so that a
	// run can be seen to have changed; nil for none.
	Beside func(path string, memo *Memo) []string
	// Sniff reports whether f looks like this family. It goes by content only.
	Sniff func(f *File) bool
	// Open prepares f for reading. It returns quickly: texts and bulk come with Load.
	Open func(ctx context.Context, f *File) (Reader, error)
}

// A Reader reads the runs of one opened source.
type Reader interface {
	// List names the runs in source order, without reading them in full.
	List(ctx context.Context) ([]Entry, error)
	// Load reads one run of those listed.
	Load(ctx context.Context, id string, opt Options) (*model.Run, error)
}

// A Single reader is of a source that always holds one run: Load needs no id,
// and to read the run there is no need to list it first.
type Single interface{ OneRun() }

// An Entry is a run a source holds.
type Entry struct {
	ID, Title string
	Status    model.Status
	At        model.Time
}

// Options of a load. The zero value loads all of it, silently.
type Options struct {
	// Progress is called from time to time with the bytes read and the size.
	Progress func(done, total int64)
	// Head, when not nil, is given a partial run as soon as the first screen
	// can be drawn from it. Readers of small sources leave it out.
	Head func(*model.Run)
	// Memo is shared by loads of many runs; nil for a single one.
	Memo *Memo
}

// An UnreadableError says what of a source could not be read, where, and what
// was expected there.
type UnreadableError struct {
	Path, Where string
	Err         error
}

func (e *UnreadableError) Error() string {
	if e.Where == "" {
		return fmt.Sprintf("%s: %v", e.Path, e.Err)
	}
	return fmt.Sprintf("%s: %s: %v", e.Path, e.Where, e.Err)
}

func (e *UnreadableError) Unwrap() error { return e.Err }
