package lines

import (
	"context"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/source"
)

// An Index is what one pass over a file gathers.
type Index interface {
	// Take files one row.
	Take(row Row)
	// Build makes the run; partial says that only the head of the file was read.
	Build(partial bool) *model.Run
}

// Session is the reader of a file that holds one run. begin starts an index that
// keeps its account in the book.
func Session(f *source.File, begin func(*Builder) Index) source.Reader { return &session{f, begin} }

type session struct {
	file  *source.File
	begin func(*Builder) Index
}

// List names the one run of the file, from its head.
func (s *session) List(ctx context.Context) ([]source.Entry, error) {
	if s.file.Size() == 0 {
		return nil, nil
	}
	run, err := s.read(ctx, true, source.Options{})
	if err != nil {
		return nil, err
	}
	return []source.Entry{source.EntryOf(run)}, nil
}

// Load reads the run, of a large file the head first.
func (s *session) Load(ctx context.Context, _ string, opt source.Options) (*model.Run, error) {
	if opt.Head != nil && s.file.Size() > 8*headLen {
		run, err := s.read(ctx, true, source.Options{})
		if err != nil {
			return nil, err
		}
		opt.Head(run)
	}
	return s.read(ctx, false, opt)
}

func (s *session) read(ctx context.Context, headOnly bool, opt source.Options) (*model.Run, error) {
	b := New(s.file)
	x := s.begin(b)
	if err := b.Each(ctx, headOnly, opt, x.Take); err != nil {
		return nil, err
	}
	return x.Build(headOnly), nil
}
