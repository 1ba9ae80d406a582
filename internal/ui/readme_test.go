package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The keys in README are those of the tables.
func TestKeysInREADME(t *testing.T) {
	path := filepath.Join("..", "..", "README.md")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const end = "<!-- end of keys -->"
	before, rest, ok := strings.Cut(string(data), "<!-- keys: ")
	note, rest, ok2 := strings.Cut(rest, "-->\n")
	keys, after, ok3 := strings.Cut(rest, end)
	if !ok || !ok2 || !ok3 {
		t.Fatal("README has no place for the keys")
	}
	want := keysMarkdown()
	if *update {
		if err := os.WriteFile(path, []byte(before+"<!-- keys: "+note+"-->\n"+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if keys != want {
		t.Errorf("the keys in README are not those of the program; write them anew with go test ./internal/ui -run README -update\nwant:\n%s", want)
	}
	for _, a := range actionTable() {
		if !strings.Contains(keys, code(a.label)) {
			t.Errorf("README does not tell of %s (%s)", a.id, a.label)
		}
	}
}

// keysMarkdown lists every key, group by group.
func keysMarkdown() string {
	var b strings.Builder
	section := func(name words) { fmt.Fprintf(&b, "\n| %s | |\n| --- | --- |\n", name) }
	row := func(keys string, help words) {
		fmt.Fprintf(&b, "| %s | %s |\n", keys, strings.ReplaceAll(string(help), "|", "\\|"))
	}
	table := actionTable()
	byID := map[string]*action{}
	for i := range table {
		byID[table[i].id] = &table[i]
	}
	for _, group := range helpGroups(table) {
		section(group)
		for i := range table {
			a := &table[i]
			what, next := strings.CutPrefix(a.id, "next-")
			back, prev := strings.CutPrefix(a.id, "prev-")
			switch {
			case a.group != group, prev && byID["next-"+back] != nil:
			case next && byID["prev-"+what] != nil:
				row(code(a.label)+" "+code(byID["prev-"+what].label), a.help+"; the one before")
			default:
				row(code(a.label), a.help)
			}
		}
	}
	for _, mode := range keyModes() {
		section(mode.name)
		for _, r := range mode.rows {
			row(code(r.hint.key), r.help)
		}
	}
	section("typed after `:`")
	for _, c := range commandTable() {
		row("`:"+string(c.name+" "+c.takes)+"`", c.help)
	}
	return b.String() + "\n"
}

// code writes keys as Markdown shows them, each for itself.
func code(w words) string {
	return "`" + strings.Join(strings.Fields(string(w)), "` `") + "`"
}
