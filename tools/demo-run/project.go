package main

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

//go:embed all:project
var projectFiles embed.FS

//go:embed text/*.txt
var textFiles embed.FS

// A project is the working copy of the service that the session is about.
type project struct {
	files     map[string]string
	committed map[string]string
}

// openProject loads the files as they were before the session, and replaces the
// placeholders for secrets and for results of figures.go.
func openProject(secrets *strings.Replacer) (*project, error) {
	p := &project{files: map[string]string{}}
	err := fs.WalkDir(projectFiles, "project", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := projectFiles.ReadFile(name)
		if err != nil {
			return err
		}
		text := strings.ReplaceAll(string(data), "{{account map}}", accountMap())
		name = strings.TrimSuffix(strings.TrimPrefix(name, "project/"), ".txt")
		p.files[name] = secrets.Replace(text)
		return nil
	})
	p.commit()
	return p, err
}

func (p *project) abs(name string) string { return path.Join("/home/dev/billing", name) }

func (p *project) read(name string) (string, error) {
	text, ok := p.files[name]
	if !ok {
		return "", fmt.Errorf("the project has no %s", name)
	}
	return text, nil
}

func (p *project) names() []string { return slices.Sorted(maps.Keys(p.files)) }

func (p *project) commit() { p.committed = maps.Clone(p.files) }

// restore resets files to the last commit.
func (p *project) restore(names ...string) {
	for _, name := range names {
		p.files[name] = p.committed[name]
	}
}
