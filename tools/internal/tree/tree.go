// Package tree finds the source tree that the tools work on. It never changes it.
package tree

import (
	"errors"
	"os"
	"path/filepath"
)

// Root returns the folder of the repository: the nearest one, from the working
// directory up, that holds go.mod and tools/go.mod.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if isFile(dir, "go.mod") && isFile(dir, "tools", "go.mod") {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("find the repository: no folder above this one holds go.mod and tools/go.mod")
		}
		dir = parent
	}
}

func isFile(elem ...string) bool {
	info, err := os.Stat(filepath.Join(elem...))
	return err == nil && info.Mode().IsRegular()
}
