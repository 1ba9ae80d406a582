package redact

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestTableMatchesSources compares the digests that table.go records with those of its
// sources and of its own lines. tools/redact-table makes the table and its digests.
func TestTableMatchesSources(t *testing.T) {
	table := readFile(t, "table.go")
	lines := strings.SplitN(string(table), "\n", 5)
	for i, want := range []string{
		"// Digest of its sources: " + digestOfSources(t),
		fmt.Sprintf("// Digest of the lines below: %x", sha256.Sum256([]byte(lines[4]))),
	} {
		if lines[i+1] != want {
			t.Errorf("table.go was edited or is out of date; run: go run -C tools ./redact-table\n got %s\nwant %s", lines[i+1], want)
		}
	}
}

func digestOfSources(t *testing.T) string {
	tools := filepath.Join("..", "..", "tools")
	files, err := filepath.Glob(filepath.Join(tools, "redact-table", "*.go"))
	if err != nil || len(files) < 4 {
		t.Fatalf("the sources of the maker: %v, %v", files, err)
	}
	sum := sha256.New()
	for _, name := range append(files, "lens.toml") {
		if !strings.HasSuffix(name, "_test.go") && filepath.Base(name) != "main.go" {
			sum.Write(readFile(t, name))
		}
	}
	for line := range bytes.Lines(readFile(t, filepath.Join(tools, "go.sum"))) {
		if bytes.HasPrefix(line, []byte("github.com/zricethezav/gitleaks/v8 ")) {
			sum.Write(line)
		}
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestEveryRuleCompiles(t *testing.T) {
	e := newEngine()
	if len(ruleTable) < 250 || len(genericAllows) == 0 {
		t.Fatalf("%d rules and %d allow-lists: some source is missing", len(ruleTable), len(genericAllows))
	}
	for i := range ruleTable {
		r := &ruleTable[i]
		if n := new(lazyExpr).of(r.expr).NumSubexp(); r.group > n {
			t.Errorf("%s: no group %d", r.id, r.group)
		}
		if r.check != "" && checks[r.check] == nil {
			t.Errorf("%s: no check named %q", r.id, r.check)
		}
		if len(r.words) == 0 || slices.Contains(r.words, "") {
			t.Errorf("%s: words %q", r.id, r.words)
		}
		if e.finders[i].id != r.id {
			t.Errorf("row %d: %s is found by %s", i, r.id, e.finders[i].id)
		}
	}
	for i := range allowTable {
		new(lazyExpr).of(allowTable[i].expr)
	}
}

// TestTableHoldsNoSecret checks that no scanner of repositories mistakes a part of the table for a key because
// of its form. The rules allowed here find words after names of keys.
func TestTableHoldsNoSecret(t *testing.T) {
	text, err := os.ReadFile("table.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range redactor(t, Options{Level: Default}).Find(string(text)) {
		inPieces := strings.ContainsAny(string(text[s.Start:s.End]), "\"\n") // scanners join no literals
		if !inPieces && !slices.Contains([]string{"password", "token", "generic-api-key"}, s.Rule) {
			t.Errorf("byte %d: %s", s.Start, s.Rule)
		}
	}
}
