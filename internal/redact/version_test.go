package redact

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestVersion compares version with a digest of all other code of the package.
func TestVersion(t *testing.T) {
	const file = "version.go"
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.New()
	for _, name := range names {
		if name != file && !strings.HasSuffix(name, "_test.go") {
			fmt.Fprintf(sum, "%s %d\n%s", name, len(readFile(t, name)), readFile(t, name))
		}
	}
	want := fmt.Sprintf("%x", sum.Sum(nil)[:8])
	if *update {
		text := regexp.MustCompile(`version = ".*"`).ReplaceAll(readFile(t, file), []byte(`version = "`+want+`"`))
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if version != want {
		t.Errorf("the code of the package changed; run: go test ./internal/redact -run TestVersion -update")
	}
}

// TestRulesDiffer checks that options which find something else have other names.
func TestRulesDiffer(t *testing.T) {
	names := map[string]int{}
	rule := func(expr string) *User {
		return &User{Rules: []UserRule{{ID: "own", Regexp: regexp.MustCompile(expr)}}}
	}
	options := []Options{
		{},
		{Level: Default},
		{Level: Strict},
		{Level: Default, Email: true},
		{Level: Default, Personal: []string{"phone"}},
		{Level: Default, User: rule("a+")},
		{Level: Default, User: rule("b+")},
		{Level: Default, User: &User{Disabled: []string{"token"}}},
	}
	for i, o := range options {
		r := redactor(t, o)
		if other, ok := names[r.Rules()]; ok {
			t.Errorf("options %d and %d have one name", other, i)
		}
		names[r.Rules()] = i
	}
	if a, b := redactor(t, options[1]), redactor(t, options[1]); a.Rules() != b.Rules() {
		t.Error("equal options have two names")
	}
}
