package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2/unstable"

	"agentlens/internal/curate"
)

// AddPreset adds a chain to the settings file at path, as a preset that @name stands
// for from then on. A file that is not there is made, with its folder. Nothing else in
// the file changes; where the line cannot be added without that, nothing is written.
func AddPreset(path, name, chain string) error {
	name = strings.TrimPrefix(name, "@")
	if err := curate.CheckNewPreset(name); err != nil {
		return err
	}
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
	if i := slices.IndexFunc(before.Presets, func(p Preset) bool { return p.Name == "@"+name }); i >= 0 {
		return Fault{Path: path, Message: fmt.Sprintf("@%s is there already, at %s: take another name", name, before.Presets[i].From)}
	}
	line := quoted(name, bareKey) + " = " + quoted(chain, nil)
	if !writable(path) {
		return Fault{Path: path, Message: "it may not be written to: allow that, or add the line to [presets] where the file comes from: " + line}
	}
	text, marked := bytes.CutPrefix(data, byteOrderMark)
	next := withPreset(text, line)
	if marked {
		next = slices.Concat(byteOrderMark, next)
	}
	if len(next) > maxFile {
		return Fault{Path: path, Message: fmt.Sprintf("it would have %d bytes with the preset; settings have no more than %d", len(next), maxFile)}
	}
	after := &Settings{Path: path}
	if err := after.parse(next); err != nil || !added(before, after, name, chain) {
		return Fault{Path: path, Message: "it cannot be added there without changing more; add the line yourself to [presets]: " + line}
	}
	return replace(path, next)
}

// linked is the file that a path stands for, there or not: where it is a link, what that
// names, so that a link stays one. Links that go in a circle name no file; reading says so.
func linked(path string) string {
	const most = 40 // links one behind the other, as systems follow them
	for range most {
		to, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			dir := filepath.Dir(path)
			if real, err := filepath.EvalSymlinks(dir); err == nil {
				dir = real // what ".." is of
			}
			to = filepath.Join(dir, to)
		}
		path = to
	}
	return path
}

// writable reports whether the file at path may be changed, or is not there. A file that
// nobody may write to by its mode is not, whoever asks.
func writable(path string) bool {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	if err != nil || info.Mode().Perm()&0o222 == 0 {
		return false
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return false
	}
	return f.Close() == nil
}

// added reports whether after is before and one preset more.
func added(before, after *Settings, name, chain string) bool {
	same := func(a, b Preset) bool { return a.Preset == b.Preset } // its line may be another
	rest := slices.DeleteFunc(slices.Clone(after.Presets), func(p Preset) bool { return p.Name == "@"+name && p.Chain == chain })
	return len(rest) == len(after.Presets)-1 && slices.EqualFunc(rest, before.Presets, same) &&
		len(after.Models) == len(before.Models) && after.Theme.Value == before.Theme.Value && after.Level.Value == before.Level.Value
}

func bareKey(r rune) bool {
	return r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-')
}

// quoted is a text as TOML has it: bare where all of it may be, else in quotes.
func quoted(s string, bare func(rune) bool) string {
	switch {
	case bare != nil && strings.IndexFunc(s, func(r rune) bool { return !bare(r) }) < 0:
		return s
	case strings.ContainsAny(s, `"\`) && !strings.ContainsAny(s, "'\n\r\t") && strings.IndexFunc(s, unicode.IsControl) < 0:
		return "'" + s + "'"
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case unicode.IsControl(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}

// withPreset adds a line at the end of the table [presets], and the table where there
// is none.
func withPreset(data []byte, line string) []byte {
	end := "\n"
	if bytes.Contains(data, []byte("\r\n")) {
		end = "\r\n"
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	from, to := presetsTable(data, len(lines))
	if from == 0 {
		var table string
		switch {
		case len(data) == 0:
		case bytes.HasSuffix(data, []byte("\n")):
			table = end
		default:
			table = end + end
		}
		return slices.Concat(data, []byte(table+"[presets]"+end+line+end))
	}
	for to > from && pale(lines[to-1]) { // blank lines and comments belong to what follows
		to--
	}
	head := slices.Concat(lines[:to]...)
	if !bytes.HasSuffix(head, []byte("\n")) {
		line = end + line
	}
	return slices.Concat(head, []byte(line+end), slices.Concat(lines[to:]...))
}

// pale reports whether a line is blank or a comment.
func pale(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) == 0 || line[0] == '#'
}

// presetsTable is the line of the header [presets], from 1, and the last line before
// the next table; 0 where there is no such header.
func presetsTable(data []byte, lines int) (from, to int) {
	var p unstable.Parser
	p.Reset(data)
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.Table && e.Kind != unstable.ArrayTable {
			continue
		}
		it := e.Key()
		it.Next()
		at := p.Shape(it.Node().Raw).Start.Line
		if from > 0 {
			return from, at - 1
		}
		if e.Kind == unstable.Table && string(it.Node().Data) == "presets" && !it.Next() {
			from = at
		}
	}
	return from, lines
}

// replace puts a file in the place of another at once.
func replace(path string, data []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	mode := os.FileMode(0o600)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	f, err := os.CreateTemp(dir, ".lens-*.toml")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
