package source

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"agentlens/internal/jsontext"
	"agentlens/internal/model"
)

// Files gives texts by reference from files: Ref.Source indexes them, Ref.Off
// and Ref.Len are bytes.
type Files []*File

// Body reads and decodes the span r names.
func (fs Files) Body(r model.Ref) (string, error) {
	raw, err := fs[r.Source].Again(r.Off, int(r.Len), "")
	if err != nil {
		return "", err
	}
	return Decode(raw, r.Form)
}

// Stored names the file that holds the bytes behind r, from byte r.Off on.
func (fs Files) Stored(r model.Ref) (path string) { return fs[r.Source].Path }

// Where names the file and the byte.
func (fs Files) Where(r model.Ref) string {
	return fmt.Sprintf("%s, byte %d, %d bytes", filepath.Base(fs[r.Source].Path), r.Off, r.Len)
}

// Line returns the line of the file where r begins, counted from 1, or 0 where
// unknown. It reads the file up to that line.
func (fs Files) Line(r model.Ref) int {
	if int(r.Source) >= len(fs) || fs[r.Source] == nil {
		return 0
	}
	return fs[r.Source].lineAt(r.Off)
}

// Decode turns stored bytes into text.
func Decode(raw []byte, form model.Form) (string, error) {
	if form == model.JSONString {
		if s, ok := jsontext.Text(raw); ok {
			return s, nil
		}
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return "", fmt.Errorf("a JSON string was expected: %w", err)
		}
		return s, nil
	}
	if utf8.Valid(raw) {
		return string(raw), nil
	}
	return strings.ToValidUTF8(string(raw), "\uFFFD"), nil
}

// An Arena keeps the texts of a small whole-document record in memory behind
// the same call. Ref.Off is an index into it.
type Arena struct {
	texts  []string
	places []string
	// sharedPlace saves repeating the place of neighbouring texts.
	lastPlace string
}

// Add keeps a text found at place ("workflow_state row run_1") and returns its reference.
// The empty text is the zero Ref.
func (a *Arena) Add(text, place string) model.Ref {
	if text == "" {
		return model.Ref{}
	}
	if place == a.lastPlace {
		place = a.lastPlace
	}
	a.lastPlace = place
	a.texts = append(a.texts, strings.ToValidUTF8(text, "\uFFFD"))
	a.places = append(a.places, place)
	return model.Ref{Off: int64(len(a.texts) - 1), Len: uint32(len(text)), Source: arenaSource}
}

// arenaSource keeps the first text of an arena apart from the zero Ref.
const arenaSource = 1

// Body returns the kept text.
func (a *Arena) Body(r model.Ref) (string, error) {
	if r.Off < 0 || r.Off >= int64(len(a.texts)) {
		return "", fmt.Errorf("no text %d in memory", r.Off)
	}
	return a.texts[r.Off], nil
}

// Where returns the place the text was found at.
func (a *Arena) Where(r model.Ref) string {
	if r.Off < 0 || r.Off >= int64(len(a.places)) {
		return ""
	}
	return a.places[r.Off]
}
