package main

import (
	"bytes"
	"fmt"
	"go/format"
	"strings"

	"golang.org/x/mod/modfile"
)

// renameText returns the text of a file with the module path replaced, or nil if there
// is nothing to replace.
func renameText(name string, text []byte, from, to string) ([]byte, error) {
	if bytes.IndexByte(text, 0) >= 0 { // binary
		return nil, nil
	}
	changed := replacePath(string(text), from, to)
	if changed == string(text) {
		return nil, nil
	}
	switch {
	case name == "go.mod":
		return sortedMod(changed)
	case strings.HasSuffix(name, ".go"): // imports may have to be sorted again
		out, err := format.Source([]byte(changed))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return out, nil
	}
	return []byte(changed), nil
}

// replacePath replaces from where it is a whole path or the beginning of one.
func replacePath(text, from, to string) string {
	var b strings.Builder
	for at := 0; ; {
		i := strings.Index(text[at:], from)
		if i < 0 {
			b.WriteString(text[at:])
			return b.String()
		}
		start, end := at+i, at+i+len(from)
		b.WriteString(text[at:start])
		if start > 0 && inPath(text[start-1]) || end < len(text) && inElement(text[end:]) {
			b.WriteString(from)
		} else {
			b.WriteString(to)
		}
		at = end
	}
}

// inPath reports whether a byte before a path makes it a part of a longer one.
func inPath(c byte) bool { return c == '/' || c == '.' || c == '@' || isWord(c) }

// inElement reports whether text goes on with the last element of a path. A full stop
// does only if a word follows it.
func inElement(text string) bool {
	return isWord(text[0]) || text[0] == '.' && len(text) > 1 && isWord(text[1])
}

func isWord(c byte) bool {
	return c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// sortedMod formats go.mod as go mod tidy does.
func sortedMod(text string) ([]byte, error) {
	f, err := modfile.Parse("go.mod", []byte(text), nil)
	if err != nil {
		return nil, err
	}
	f.SortBlocks()
	f.Cleanup()
	return f.Format()
}
