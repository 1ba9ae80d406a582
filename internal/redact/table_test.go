package redact

import (
	"bytes"
	"flag"
	"os"
	"slices"
	"testing"

	"agentlens/internal/redact/pack"
)

var update = flag.Bool("update", false, "write the table of rules anew")

// TestTable holds table.go to what the packs say.
func TestTable(t *testing.T) {
	made, err := pack.Load()
	if err != nil {
		t.Fatal(err)
	}
	want, err := made.Source()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("table.go", want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("table.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("table.go is not what the packs say: go test ./internal/redact -run Table -update")
	}
}

func TestEveryRuleCompiles(t *testing.T) {
	e := newEngine()
	if len(ruleTable) < 250 || len(genericAllows) == 0 {
		t.Fatalf("%d rules and %d allow-lists, want both packs", len(ruleTable), len(genericAllows))
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

// No file of this project may hold what a scanner takes for a key by its form. What
// stands behind the name of a key there is a list of such names.
func TestTableHoldsNoSecret(t *testing.T) {
	text, err := os.ReadFile("table.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range redactor(t, Options{Level: Default}).Find(string(text)) {
		if !slices.Contains([]string{"password", "token", "generic-api-key"}, s.Rule) {
			t.Errorf("byte %d: %s", s.Start, s.Rule)
		}
	}
}
