package session

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"slices"
	"strings"

	"agentlens/internal/cli/programs"
	"agentlens/internal/config"
	"agentlens/internal/trace"
)

type noPrograms struct{}

// WithoutPrograms returns a context under which no reader program of the settings is started.
func WithoutPrograms(ctx context.Context) context.Context {
	return context.WithValue(ctx, noPrograms{}, true)
}

// convert returns what a reader program of the settings prints for a file. ok is false if no reader reads the file.
func (s *Session) convert(ctx context.Context, path string) (data []byte, ok bool, err error) {
	r := s.readerOf(path)
	if r == nil || ctx.Value(noPrograms{}) != nil {
		return nil, false, nil
	}
	data, err = programs.Read(ctx, r.Program, path)
	if err != nil {
		err = fmt.Errorf(readerFailed, r.Name, err)
	}
	return data, true, err
}

// readerOf returns the first reader for a file, or nil.
func (s *Session) readerOf(path string) *config.Reader {
	own, err := s.Settings()
	if err != nil { // the command reports it
		return nil
	}
	i := slices.IndexFunc(own.Readers, func(r config.Reader) bool { return r.Reads(path) })
	if i < 0 {
		return nil
	}
	return &own.Readers[i]
}

// finder returns a finder of the sources of this machine, with those of the user's readers.
func (s *Session) finder() *trace.Finder {
	f := &trace.Finder{Env: os.Getenv}
	if own, err := s.Settings(); err == nil && len(own.Readers) > 0 {
		f.Also = func(path string) bool { return s.readerOf(path) != nil }
	}
	return f
}

// readersVariant distinguishes rows that different readers made.
func (s *Session) readersVariant() string {
	own, err := s.Settings()
	if err != nil || len(own.Readers) == 0 {
		return ""
	}
	var b strings.Builder
	for _, r := range own.Readers {
		fmt.Fprintf(&b, "%q %q %q\n", r.Name, r.Program, r.Files)
	}
	return fmt.Sprintf("-readers-%x", sha256.Sum256([]byte(b.String())))[:17]
}
