package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// systems are the values of GOOS that lens is released for.
var systems = []string{"linux", "darwin", "windows"}

// A module is linked into lens on one or more systems.
type module struct {
	path, version, dir string
	systems            []string
}

// linked lists the modules of all packages that the program at root links, by path.
func linked(root string) ([]module, error) {
	all := map[string]*module{}
	for _, system := range systems {
		cmd := exec.Command("go", "list", "-deps", "-json=Module", "./cmd/lens")
		cmd.Dir, cmd.Stderr = root, os.Stderr
		cmd.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("list the packages of %s: %w", system, err)
		}
		if err := add(all, system, string(out)); err != nil {
			return nil, err
		}
	}
	list := make([]module, 0, len(all))
	for _, m := range all {
		list = append(list, *m)
	}
	slices.SortFunc(list, func(a, b module) int { return cmp.Compare(a.path, b.path) })
	return list, nil
}

// add adds the modules of what go list printed for one system.
func add(all map[string]*module, system, out string) error {
	for dec := json.NewDecoder(strings.NewReader(out)); ; {
		var pkg struct {
			Module *struct {
				Path, Version, Dir string
				Main               bool
			}
		}
		if err := dec.Decode(&pkg); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		m := pkg.Module
		if m == nil || m.Main { // a package of the standard library, or our own
			continue
		}
		if all[m.Path] == nil {
			all[m.Path] = &module{path: m.Path, version: m.Version, dir: m.Dir}
		}
		if !slices.Contains(all[m.Path].systems, system) {
			all[m.Path].systems = append(all[m.Path].systems, system)
		}
	}
}

// withoutFile names the licence of modules that contain no licence file.
var withoutFile = map[string]string{
	"github.com/mattn/go-localereader": "MIT, says its README",
}

// translated names the terms of the C code that a module contains in translation.
var translated = map[string]string{
	"modernc.org/libc":   "; musl libc: MIT",
	"modernc.org/sqlite": "; SQLite: public domain",
}

func withoutFileOf(path string) (string, error) {
	if licence, ok := withoutFile[path]; ok {
		return licence, nil
	}
	return "", fmt.Errorf("%s contains no licence that is recognised; known exceptions: %v", path, slices.Sorted(maps.Keys(withoutFile)))
}
