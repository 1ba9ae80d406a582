package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// A licence describes the licence files of one module.
type licence struct {
	names     []string // SPDX identifiers
	copyright string   // the first copyright line
}

// identify reads the licence files in the top folder of a module.
func identify(dir string) (licence, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return licence{}, err
	}
	var l licence
	for _, e := range entries {
		if e.IsDir() || !isLicenceFile(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return l, err
		}
		for _, m := range licensecheck.Scan(text).Match {
			if !slices.Contains(l.names, m.ID) {
				l.names = append(l.names, m.ID)
			}
		}
		if l.copyright == "" {
			l.copyright = copyrightLine(string(text))
		}
	}
	slices.Sort(l.names)
	return l, nil
}

// isLicenceFile reports whether a file states the terms of its module. It skips
// LICENSE-3RD-PARTY.md, which also covers code that lens does not link.
func isLicenceFile(name string) bool {
	stem, _, _ := strings.Cut(strings.ToUpper(name), ".")
	return slices.Contains([]string{"LICENSE", "LICENCE", "COPYING", "LICENSE-GO", "LICENSE-MMAP-GO", "LICENSE-SQLITE"}, stem)
}

var holder = regexp.MustCompile(`(?im)^\s*(copyright (?:\(c\)|©|\d{4}).*)$`)

// copyrightLine returns the first line that names a copyright holder, or "".
func copyrightLine(text string) string {
	m := holder.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return strings.Join(strings.Fields(m[1]), " ")
}
