// Command rename-module changes the module path of lens everywhere:
//
//	go run -C tools ./rename-module example.org/agents/lens
//
// It rewrites go.mod of both modules, imports, linker flags, scripts and pages. Data
// in folders named testdata stays as it is. Afterwards, only the new path is left.
//
// The new path must sort before that of Bubble Tea: Go initialises packages in the
// order of their import paths, and package ui/bg has to come first.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"agentlens/tools/internal/tree"
)

const bubbleTea = "github.com/charmbracelet/bubbletea"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "rename-module:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: go run -C tools ./rename-module PATH")
	}
	if err := checkPath(args[0]); err != nil {
		return err
	}
	root, err := tree.Root()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	n, err := renameTree(root, modfile.ModulePath(text), args[0])
	if err == nil {
		fmt.Printf("%d files changed\n", n)
	}
	return err
}

// checkPath returns an error if lens cannot have the module path.
func checkPath(path string) error {
	if err := module.CheckPath(path); err != nil {
		return err
	}
	if path > bubbleTea {
		return fmt.Errorf("%s sorts after %s: package ui/bg would be initialised too late", path, bubbleTea)
	}
	return nil
}

// renameTree replaces the path in all files below root, and returns how many changed.
func renameTree(root, from, to string) (changed int, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == ".git" || d.Name() == "testdata" {
				return filepath.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		done, err := renameFile(path, from, to)
		if done {
			changed++
		}
		return err
	})
	return changed, err
}

func renameFile(path, from, to string) (changed bool, err error) {
	old, err := os.ReadFile(path)
	if err != nil {
		return false, err
	}
	text, err := renameText(filepath.Base(path), old, from, to)
	if err != nil || text == nil {
		return false, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return false, err
	}
	return true, os.WriteFile(path, text, info.Mode().Perm())
}
