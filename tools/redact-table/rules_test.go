package main

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"agentlens/tools/internal/tree"
)

func TestBrokenRulesAreErrors(t *testing.T) {
	for name, text := range map[string]string{
		"no TOML":       "[[rules]",
		"no expression": "[[rules]]\nid = 'a'\nregex = '('\nkeywords = ['a']",
		"no keyword":    "[[rules]]\nid = 'a'\nregex = '[a-z]+x'",
		"allow-list":    "[[rules]]\nid = 'a'\nregex = 'abc'\n[[rules.allowlists]]\nregexes = ['(']",
	} {
		if err := new(Table).read(name, text, nil); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestParseHead(t *testing.T) {
	tests := []struct {
		expr     string
		leads    []string
		boundary bool
	}{
		{`ghp_[0-9a-z]{36}`, []string{"ghp_"}, false},
		{`\b(sk-ant-[a-z]+)`, []string{"sk-ant-"}, true},
		{`(?i)[\w.-]{0,50}?(?:adobe)[ \t]*=([a-f0-9]{32})`, []string{"adobe"}, false},
		{`\b((?:A3T[A-Z0-9]|AKIA|ASIA)[A-Z2-7]{16})`, nil, true},
		{`(?:https?://)?hooks\.x`, []string{"hooks.x"}, false},
		{`(?i)[Kk]ey`, []string{"key"}, false},
		{`[a-z]{14}\.x`, nil, false},
		{`(?:^|[^a])b`, nil, false},
		{`ab|\bcd`, []string{"ab", "cd"}, false},
	}
	for _, tt := range tests {
		h, err := parseHead(tt.expr)
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(h.leads)
		if tt.leads == nil && tt.boundary { // the leads are expanded; any will do
			if len(h.leads) == 0 {
				t.Errorf("%s: no leads", tt.expr)
			}
		} else if !slices.Equal(h.leads, tt.leads) {
			t.Errorf("%s: leads %q, want %q", tt.expr, h.leads, tt.leads)
		}
		if h.boundary != tt.boundary {
			t.Errorf("%s: boundary %v", tt.expr, h.boundary)
		}
	}
}

// TestTableIsCurrent makes the table again from its sources.
func TestTableIsCurrent(t *testing.T) {
	root, err := tree.Root()
	if err != nil {
		t.Fatal(err)
	}
	want, err := generate(root)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(tablePath(root))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("internal/redact/table.go is out of date; run: go run -C tools ./redact-table")
	}
}
