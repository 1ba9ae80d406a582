package source

import (
	"cmp"
	"encoding/json"
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
	texts  []string
	places []string
	// sharedPlace avoids storing the place of adjacent texts twice.
	lastPlace string

	stored []storedText // texts in a file, in order of index
	within within
	held   int    // bytes of texts
	spill  *spill // nil until held exceeds mostHeld
}

// A storedText is a text that stays in its file. Its entry in Arena.texts is empty.
type storedText struct {
	index int
	file  *File
	off   int64
	len   int
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
	if place == a.lastPlace {
		place = a.lastPlace
	}
	a.lastPlace = place
	a.texts = append(a.texts, a.kept(text))
	a.places = append(a.places, place)
	return model.Ref{Off: int64(len(a.texts) - 1), Len: uint32(size), Source: arenaSource}
}

// kept returns a new text as it is kept in memory: empty if it goes to the temporary file.
func (a *Arena) kept(text string) string {
	if len(text) <= shortText {
		return text
	}
	if a.held += len(text); a.held <= mostHeld {
		return text
	}
	if a.spill == nil {
		a.spill = newSpill()
	}
	off, ok := a.spill.add(text)
	if !ok {
		return text
	}
	a.stored = append(a.stored, storedText{len(a.texts), a.spill.file, off, len(text), model.Plain})
	return ""
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
	a.stored = append(a.stored, storedText{len(a.texts), a.within.file, off, len(raw), form})
	return a.add("", size, place)
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
	if r.Off < 0 || r.Off >= int64(len(a.texts)) {
		return "", fmt.Errorf("no text %d in memory", r.Off)
	}
	if text := a.texts[r.Off]; text != "" {
		return text, nil
	}
	i, ok := slices.BinarySearchFunc(a.stored, int(r.Off), func(s storedText, index int) int { return cmp.Compare(s.index, index) })
	if !ok {
		return "", nil
	}
	s := &a.stored[i]
	raw, err := s.file.Again(s.off, s.len, a.places[r.Off])
	if err != nil {
		return "", err
	}
	text, err := Decode(raw, s.form)
	return strings.ToValidUTF8(text, "\uFFFD"), err
}

// Where returns the place of a text.
func (a *Arena) Where(r model.Ref) string {
	if r.Off < 0 || r.Off >= int64(len(a.places)) {
		return ""
	}
	return a.places[r.Off]
}
