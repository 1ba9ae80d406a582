package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// PaneChoices returns the values of the setting panes: which message panes the inspector shows. "auto" shows what
// was sent next to the history where the two differ.
func PaneChoices() []string { return []string{"auto", "both", "history", "sent"} }

// panes parses the choice of the message panes.
func (s *Settings) panes(v any, at places) error {
	name, err := at.text(v, "panes")
	if err != nil || name == "" {
		return err
	}
	if !slices.Contains(PaneChoices(), name) {
		return at.fault(fmt.Sprintf("unknown panes %q: use %s", name, strings.Join(PaneChoices(), ", ")), "panes")
	}
	s.Panes = at.setting(name, "panes")
	return nil
}

// SetPanes sets the key panes in the settings file at path to one of [PaneChoices]. It changes one line and creates
// the file and its folder if they are missing. If it cannot do that without another change, it returns an error and
// writes nothing.
func SetPanes(path, choice string) error {
	if path == "" {
		return errors.New("there is no place for settings: HOME is not set, nor XDG_CONFIG_HOME, nor LENS_CONFIG")
	}
	path = linked(path)
	data, err := read(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Fault{Path: path, Message: plain(err).Error()}
	}
	before := &Settings{Path: path}
	if err := before.parse(data); err != nil {
		return err
	}
	if before.Panes.Value == choice {
		return nil
	}
	line := "panes = " + quoted(choice, nil)
	if !writable(path) {
		return Fault{Path: path, Message: "it may not be written to: allow that, or add the line where the file comes from: " + line}
	}
	text, marked := bytes.CutPrefix(data, byteOrderMark)
	next := withTop(text, "panes", line)
	if marked {
		next = slices.Concat(byteOrderMark, next)
	}
	if len(next) > maxFile {
		return Fault{Path: path, Message: fmt.Sprintf("it would have %d bytes; settings have no more than %d", len(next), maxFile)}
	}
	after := &Settings{Path: path}
	if err := after.parse(next); err != nil || after.Panes.Value != choice || !alike(text, bytes.TrimPrefix(next, byteOrderMark), "panes") {
		return Fault{Path: path, Message: "it cannot be changed there without changing more; set the key yourself: " + line}
	}
	return replace(path, next)
}

// alike reports whether two settings files differ in nothing but one key outside the tables.
func alike(a, b []byte, key string) bool {
	var left, right map[string]any
	if toml.Unmarshal(a, &left) != nil || toml.Unmarshal(b, &right) != nil {
		return false
	}
	delete(left, key)
	delete(right, key)
	return len(left) == 0 && len(right) == 0 || reflect.DeepEqual(left, right)
}

// withTop sets a key outside the tables: it replaces the key and its value, or adds a line before the first table.
// A comment after the value stays.
func withTop(data []byte, key, line string) []byte {
	from, to, at := topKey(data, key)
	if from < to {
		return slices.Concat(data[:from], []byte(line), data[to:])
	}
	end := "\n"
	if bytes.Contains(data, []byte("\r\n")) {
		end = "\r\n"
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	for at > 0 && at < len(lines) && pale(lines[at-1]) { // blank lines and comments belong to the next table
		at--
	}
	head := slices.Concat(lines[:at]...)
	if len(head) > 0 && !bytes.HasSuffix(head, []byte("\n")) {
		line = end + line
	}
	rest := slices.Concat(lines[at:]...)
	if at == 0 && len(rest) > 0 {
		line += end // a blank line before the first table
	}
	return slices.Concat(head, []byte(line+end), rest)
}

// topKey returns the bytes of a key outside the tables and of its value; from equals to if the key is missing. at is
// the number of lines before the first table.
func topKey(data []byte, key string) (from, to, at int) {
	var p unstable.Parser
	p.Reset(data)
	for p.NextExpression() {
		e := p.Expression()
		it := e.Key()
		it.Next()
		raw := it.Node().Raw
		if e.Kind == unstable.Table || e.Kind == unstable.ArrayTable {
			return 0, 0, p.Shape(raw).Start.Line - 1
		}
		if e.Kind == unstable.KeyValue && it.IsLast() && string(it.Node().Data) == key {
			value := e.Value().Raw
			return int(raw.Offset), int(value.Offset + value.Length), 0
		}
	}
	return 0, 0, bytes.Count(data, []byte("\n")) + 1
}
