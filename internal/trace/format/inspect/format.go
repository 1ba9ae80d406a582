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

// Format is the row of this family.
func Format() source.Format {
	return source.Format{
		Name: name, Title: "Inspect evaluation log", Proven: "genuine files",
		Places: []string{"./logs/*.eval", "./logs/*.json"},
		Sniff:  sniff, Open: open,
	}
}

// sniff looks at the names of a zip, or at the members of a document.
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

// A log is one evaluation, in either of its forms.
type log interface {
	// samples names the samples in order of epoch and id.
	samples() ([]sampleRef, error)
	// read reads one of them.
	read(sampleRef) (document.Value, error)
	// headers are the documents about the evaluation as a whole.
	headers() []header
}

// A sampleRef is a sample that was not read yet.
type sampleRef struct {
	id, title string
	order     order
	at        model.Time
	status    model.Status
	where     string // its place in the source, for a person
	entry     int    // which entry of the archive, or which element of the list
}

// A header is a document about the evaluation.
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

// unreadable names the file in an error that does not name it yet.
func unreadable(f *source.File, where string, err error) error {
	if named := new(source.UnreadableError); errors.As(err, &named) {
		return err
	}
	return &source.UnreadableError{Path: f.Path, Where: where, Err: err}
}

// List names the samples.
func (r *reader) List(context.Context) ([]source.Entry, error) {
	list := make([]source.Entry, len(r.refs))
	for i, s := range r.refs {
		list[i] = source.Entry{ID: s.id, Title: s.title, Status: s.status, At: s.at}
	}
	return list, nil
}

// Load reads one sample; without an id the only one.
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
