package source

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"agentlens/internal/jsontext"
	"agentlens/internal/model"
)

// An Arena keeps the texts of a document: those of a small one in memory, those of a large one by
// position in its file, or in a temporary file if they have no position. Ref.Off is an index of the texts.
type Arena struct {
	texts  model.List[keptText]
	memory model.List[string] // texts without a file
	files  []*File            // with the other texts
	places placeNames

	within within
	held   int    // bytes of texts
	spill  *spill // nil until held exceeds mostHeld
}

// A keptText describes a text of an arena. Large documents have many, so it is small.
type keptText struct {
	off   int64  // in its file, or the index in Arena.memory
	len   uint32 // in its file
	place uint32 // id in Arena.places
	file  uint32 // one more than the index in Arena.files, or 0
	form  model.Form
}

// A within is the range of a file that is being decoded.
type within struct {
	file *File
	data []byte
	off  int64
}

// shortText is the size in bytes up to which a text is kept in memory, because its position would take as much
// space.
const shortText = 64

// Add keeps a text found at place ("workflow_state row run_1") and returns its reference. An
// empty text has the zero Ref.
func (a *Arena) Add(text, place string) model.Ref {
	if text == "" {
		return model.Ref{}
	}
	return a.add(strings.ToValidUTF8(text, "\uFFFD"), len(text), place)
}

func (a *Arena) add(text string, size int, place string) model.Ref {
	t, ok := a.spilled(text)
	if !ok {
		t = keptText{off: int64(a.memory.Add(text))}
	}
	return a.put(t, size, place)
}

func (a *Arena) put(t keptText, size int, place string) model.Ref {
	t.place = a.places.add(place)
	return model.Ref{Off: int64(a.texts.Add(t)), Len: uint32(size), Source: arenaSource}
}

// spilled writes a new text to the temporary file if the arena holds enough. ok is false if the text stays in memory.
func (a *Arena) spilled(text string) (t keptText, ok bool) {
	if len(text) <= shortText {
		return t, false
	}
	if a.held += len(text); a.held <= mostHeld {
		return t, false
	}
	if a.spill == nil {
		a.spill = newSpill()
	}
	off, ok := a.spill.add(text)
	if !ok {
		return t, false
	}
	return keptText{off: off, len: uint32(len(text)), file: a.number(a.spill.file), form: model.Plain}, true
}

// number returns one more than the index of f among the files.
func (a *Arena) number(f *File) uint32 {
	n := len(a.files)
	if n > 0 && a.files[n-1] == f {
		return uint32(n)
	}
	if i := slices.Index(a.files, f); i >= 0 {
		return uint32(i + 1)
	}
	a.files = append(a.files, f)
	return uint32(n + 1)
}

// Within makes the arena store positions for texts in data, the bytes of f at off. The caller has
// checked that data is valid JSON. If f is nil, texts in data are kept like all others.
func (a *Arena) Within(f *File, data []byte, off int64) { a.within = within{f, data, off} }

// Checked reports whether raw is part of the data that Within named.
func (a *Arena) Checked(raw []byte) bool { _, ok := a.within.find(raw); return ok }

// AddText keeps the text of raw, a JSON string. ok is false if raw is anything else.
func (a *Arena) AddText(raw json.RawMessage, place string) (ref model.Ref, ok bool) {
	if off, inside := a.within.find(raw); inside && a.within.file != nil && len(raw) > shortText {
		if n, ok := jsontext.TextLen(raw); ok {
			return a.store(off, raw, n, model.JSONString, place), true
		}
	}
	text, ok := jsontext.Text(raw)
	return a.Add(text, place), ok
}

// AddJSON keeps a JSON value as written.
func (a *Arena) AddJSON(raw json.RawMessage, place string) model.Ref {
	if off, inside := a.within.find(raw); inside && a.within.file != nil && len(raw) > shortText {
		return a.store(off, raw, len(raw), model.JSONValue, place)
	}
	return a.Add(string(raw), place)
}

// store keeps the position of raw, which decodes to size bytes.
func (a *Arena) store(off int64, raw []byte, size int, form model.Form, place string) model.Ref {
	return a.put(keptText{off: off, len: uint32(len(raw)), file: a.number(a.within.file), form: form}, size, place)
}

// find returns the position in the file of raw if it is part of the data.
func (w *within) find(raw []byte) (off int64, ok bool) {
	if len(raw) == 0 || len(w.data) == 0 {
		return 0, false
	}
	at := int64(reflect.ValueOf(raw).Pointer()) - int64(reflect.ValueOf(w.data).Pointer())
	return w.off + at, at >= 0 && at+int64(len(raw)) <= int64(len(w.data))
}

// arenaSource distinguishes the first text of an arena from the zero Ref.
const arenaSource = 1

// Body returns the text of a reference.
func (a *Arena) Body(r model.Ref) (string, error) {
	if r.Off < 0 || r.Off >= int64(a.texts.Len()) {
		return "", fmt.Errorf("no text %d in memory", r.Off)
	}
	t := a.texts.At(int32(r.Off))
	if t.file == 0 {
		return *a.memory.At(int32(t.off)), nil
	}
	raw, err := a.files[t.file-1].Again(t.off, int(t.len), "")
	if err != nil {
		if fault := (*UnreadableError)(nil); errors.As(err, &fault) && fault.Where != "" {
			fault.Where = a.places.of(t.place)
		}
		return "", err
	}
	text, err := Decode(raw, t.form)
	return strings.ToValidUTF8(text, "\uFFFD"), err
}

// Where returns the place of a text.
func (a *Arena) Where(r model.Ref) string {
	if r.Off < 0 || r.Off >= int64(a.texts.Len()) {
		return ""
	}
	return a.places.of(a.texts.At(int32(r.Off)).place)
}
