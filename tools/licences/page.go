package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const head = `# Licences

lens itself is under the MIT licence, see [LICENSE](../LICENSE).
` + "`go run -C tools ./licences`" + ` writes this page, and CI checks it.

## Linked modules

The standard library of Go (BSD-3-Clause, Copyright 2009 The Go Authors) and:

| module | version | licence | copyright |
| --- | --- | --- | --- |
`

const copied = `
## Copied data

| folder | terms |
| --- | --- |
`

// page returns the text of docs/licences.md.
func page(root string) ([]byte, error) {
	modules, err := linked(root)
	if err != nil {
		return nil, err
	}
	b := bytes.NewBufferString(head)
	for _, m := range modules {
		l, err := identify(m.dir)
		if err != nil {
			return nil, err
		}
		names := strings.Join(l.names, ", ") + translated[m.path]
		if names == "" {
			if names, err = withoutFileOf(m.path); err != nil {
				return nil, err
			}
		}
		fmt.Fprintf(b, "| %s%s | %s | %s | %s |\n", m.path, only(m.systems), m.version, names, strings.ReplaceAll(l.copyright, "|", `\|`))
	}
	b.WriteString(copied)
	notices, err := noticesOf(root)
	if err != nil {
		return nil, err
	}
	for _, name := range notices {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return nil, err
		}
		name = filepath.ToSlash(name)
		fmt.Fprintf(b, "| %s | %s See [NOTICE](../%s). |\n", filepath.ToSlash(filepath.Dir(name)), firstSentence(string(text)), name)
	}
	return b.Bytes(), nil
}

// only names the systems of a module that is not linked on all of them.
func only(on []string) string {
	if len(on) == len(systems) {
		return ""
	}
	return " (" + strings.Join(on, ", ") + ")"
}

// noticesOf lists the NOTICE files of the repository, which state the origin and the terms of copied data.
func noticesOf(root string) (names []string, err error) {
	err = filepath.WalkDir(filepath.Join(root, "internal"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "NOTICE" {
			name, rel := filepath.Rel(root, path)
			names, err = append(names, name), rel
		}
		return err
	})
	slices.Sort(names)
	return names, err
}

// firstSentence returns the text up to its first full stop, colon or empty line.
func firstSentence(text string) string {
	text, _, _ = strings.Cut(text, "\n\n")
	text = strings.Join(strings.Fields(text), " ")
	for _, end := range []string{". ", ", with this", ", which have this"} {
		text, _, _ = strings.Cut(text, end)
	}
	return strings.TrimRight(text, ".:") + "."
}
