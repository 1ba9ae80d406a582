package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// layers lists the packages from top to bottom. A package may import those on lower lines,
// and its own subpackages.
var layers = [][]string{
	{"cmd/lens"},
	{"internal/cli"},
	{"internal/ui"},
	{"internal/export", "internal/config"},
	{"internal/library"},
	{"internal/safe"},
	{"internal/curate", "internal/redact", "internal/demo"},
	{"internal/trace"},
	{"internal/model", "internal/jsontext"},
}

// only lists which packages may import certain outside packages.
var only = map[string][]string{
	"github.com/charmbracelet/":            {"internal/ui"},
	"github.com/alecthomas/chroma":         {"internal/ui"},
	"github.com/spf13/cobra":               {"internal/cli"},
	"modernc.org/":                         {"internal/trace"},
	"github.com/zricethezav/gitleaks":      {"internal/redact"},
	"github.com/pkoukk/":                   {"internal/curate"},
	"github.com/klauspost/compress":        {"internal/trace", "internal/demo"},
	"github.com/clipperhouse/displaywidth": {"internal/ui"},
	"os/exec":                              {"internal/cli"},
	"net":                                  {},
	"net/http":                             {},
}

type pkg struct {
	ImportPath string
	Imports    []string
}

// TestImports checks that imports only go down the layers, and that outside libraries are
// imported only where they are allowed.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "agentlens/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	seen := 0
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		seen++
		for _, imp := range p.Imports {
			if msg := forbidden(p.ImportPath, imp); msg != "" {
				t.Errorf("%s imports %s: %s", p.ImportPath, imp, msg)
			}
		}
	}
	if seen < 10 {
		t.Fatalf("only %d packages were looked at", seen)
	}
}

// unlinked lists packages that the program must not contain: network clients, and test
// dependencies that would slow down every start.
var unlinked = []string{"net/http", "crypto/tls", "github.com/zricethezav/gitleaks", "github.com/spf13/viper"}

func TestUnlinked(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "agentlens/cmd/lens").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	linked := strings.Fields(string(out))
	if !slices.Contains(linked, "agentlens/internal/redact") {
		t.Fatalf("only %d packages are linked", len(linked))
	}
	for _, path := range linked {
		for _, not := range unlinked {
			if path == not || strings.HasPrefix(path, not+"/") {
				t.Errorf("the program holds %s; go list -deps says who imports it", path)
			}
		}
	}
}

func forbidden(from, imp string) string {
	from = strings.TrimPrefix(from, "agentlens/")
	pkg, level := layerOf(from)
	if ours, ok := strings.CutPrefix(imp, "agentlens/"); ok {
		to, below := layerOf(ours)
		switch {
		case to == pkg:
			return ""
		case to == "internal/jsontext":
			return "" // every package may import it
		case pkg == "internal/redact":
			return "redact knows nothing of ours"
		case (pkg == "internal/curate" || pkg == "internal/export") && to == "internal/trace":
			return "texts come from the run, not from a reader"
		case level < 0 || below <= level:
			return "imports go down the layers only"
		case to == "internal/ui" && pkg != "internal/cli":
			return "only cli imports ui"
		}
		return ""
	}
	for prefix, where := range only {
		if (imp == prefix || strings.HasPrefix(imp, prefix) && strings.HasSuffix(prefix, "/") || strings.HasPrefix(imp, prefix+"/") && prefix != "net") && !slices.Contains(where, pkg) {
			return "allowed in " + strings.Join(where, ", ") + " only"
		}
	}
	return ""
}

func layerOf(path string) (pkg string, level int) {
	for i, row := range layers {
		for _, r := range row {
			if path == r || strings.HasPrefix(path, r+"/") {
				return r, i
			}
		}
	}
	return path, -1
}

// TestForbidden shows that the rules can fail.
func TestForbidden(t *testing.T) {
	for _, tc := range [][2]string{
		{"agentlens/internal/model", "agentlens/internal/trace"},
		{"agentlens/internal/curate", "agentlens/internal/trace/ground/source"},
		{"agentlens/internal/redact", "agentlens/internal/model"},
		{"agentlens/internal/export", "agentlens/internal/ui"},
		{"agentlens/internal/trace/format/flujo", "agentlens/internal/curate"},
		{"agentlens/internal/export", "github.com/charmbracelet/lipgloss"},
		{"agentlens/internal/curate", "modernc.org/sqlite"},
		{"agentlens/internal/trace", "net/http"},
		{"agentlens/internal/ui", "os/exec"},
	} {
		if forbidden(tc[0], tc[1]) == "" {
			t.Errorf("%s may import %s", tc[0], tc[1])
		}
	}
	for _, tc := range [][2]string{
		{"agentlens/internal/cli", "agentlens/internal/ui"},
		{"agentlens/internal/ui/text", "github.com/charmbracelet/x/ansi"},
		{"agentlens/internal/trace/format/flujo", "agentlens/internal/trace/ground/sqlite"},
		{"agentlens/internal/demo", "agentlens/internal/trace/ground/source"},
		{"agentlens/internal/curate", "agentlens/internal/model"},
	} {
		if msg := forbidden(tc[0], tc[1]); msg != "" {
			t.Errorf("%s may not import %s: %s", tc[0], tc[1], msg)
		}
	}
}
