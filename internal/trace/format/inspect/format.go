package inspect

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/chat"
	"agentlens/internal/trace/ground/document"
	"agentlens/internal/trace/ground/source"
)

const name = "inspect"

// Format describes Inspect evaluation logs.
func Format() source.Format {
	return source.Format{
		Name: name, Title: "Inspect evaluation log", Proven: "genuine files",
		Places: []string{"./logs/*.eval", "./logs/*.json"},
		Sniff:  sniff, Open: open,
	}
}

// sniff checks the entry names of a zip, or the members of a document.
func sniff(f *source.File) bool {
	if f.IsZip() {
		_, err := openArchive(f)
		return err == nil
	}
	if f.First() != '{' {
		return false
	}
	keys := chat.Peek(f.Head).Keys
	return slices.Contains(keys, "version") && slices.Contains(keys, "status") && slices.Contains(keys, "eval")
}

// A log is one evaluation, in zip or document form.
type log interface {
	// samples lists the samples by epoch and id.
	samples() ([]sampleRef, error)
	// read reads one sample.
	read(sampleRef) (document.Value, error)
	// headers returns the documents about the whole evaluation.
	headers() []header
}

// A sampleRef identifies a sample that has not been read yet.
type sampleRef struct {
	id, title string
	order     order
	at        model.Time
	status    model.Status
	where     string // location in the source, for display
	entry     int    // index of the archive entry or list element
}

// A header is a document about the whole evaluation.
type header struct {
	name string
	body []byte
}

type reader struct {
	file *source.File
	log  log
	refs []sampleRef
}

func open(_ context.Context, f *source.File) (source.Reader, error) {
	var l log
	var err error
	if f.IsZip() {
		l, err = openArchive(f)
	} else {
		l, err = openDocument(f)
	}
	if err != nil {
		return nil, unreadable(f, "", err)
	}
	refs, err := l.samples()
	if err != nil {
		return nil, unreadable(f, "", err)
	}
	return &reader{f, l, refs}, nil
}

// unreadable returns err with the file name added if the name is missing.
func unreadable(f *source.File, where string, err error) error {
	if named := new(source.UnreadableError); errors.As(err, &named) {
		return err
	}
	return &source.UnreadableError{Path: f.Path, Where: where, Err: err}
}

// List returns the samples.
func (r *reader) List(context.Context) ([]source.Entry, error) {
	list := make([]source.Entry, len(r.refs))
	for i, s := range r.refs {
		list[i] = source.Entry{ID: s.id, Title: s.title, Status: s.status, At: s.at}
	}
	return list, nil
}

// Load reads one sample. An empty id selects the only sample.
func (r *reader) Load(_ context.Context, id string, _ source.Options) (*model.Run, error) {
	for _, ref := range r.refs {
		if ref.id != id && (id != "" || len(r.refs) != 1) {
			continue
		}
		v, err := r.log.read(ref)
		if err != nil {
			return nil, unreadable(r.file, ref.where, err)
		}
		return load(r.file, ref, v, r.log.headers()), nil
	}
	return nil, unreadable(r.file, "", fmt.Errorf("no sample %q among the %d of the log; a sample is named <id>/<epoch>", id, len(r.refs)))
}
