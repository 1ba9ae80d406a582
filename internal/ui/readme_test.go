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
	want := keysMarkdown(t)
	if *update {
		if err := os.WriteFile(path, []byte(before+"<!-- keys: "+note+"-->\n"+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if keys != want {
		t.Errorf("the keys in README are not those of the program; write them anew with go test ./internal/ui -run README -update\nwant:\n%s", want)
	}
}

// keysMarkdown lists every key, screen by screen.
func keysMarkdown(t *testing.T) string {
	var b strings.Builder
	section := func(name words) { fmt.Fprintf(&b, "\n| %s | |\n| --- | --- |\n", name) }
	row := func(keys string, help words) {
		fmt.Fprintf(&b, "| %s | %s |\n", keys, strings.ReplaceAll(string(help), "|", "\\|"))
	}
	for _, table := range tables(t) {
		section(table.name)
		for _, a := range table.rows {
			row(code(a.label()), a.help)
		}
	}
	section("the mouse")
	for _, m := range mouseRows {
		row(string(m[0]), m[1])
	}
	section("typed after `:`")
	for _, c := range commandTable() {
		row("`:"+string(c.name+" "+c.takes)+"`", c.help)
	}
	section("typed in the linear mode")
	for _, c := range linearTable() {
		row("`"+strings.TrimSpace(c.name+" "+c.takes)+"`", words(c.help))
	}
	return b.String() + "\n"
}

// tables lists the tables of keys of every screen, that of a run by its groups.
func tables(t *testing.T) []keyTable {
	var list []keyTable
	for _, table := range open(t, 80, 24).r.allTables() {
		if table.name != "" {
			list = append(list, table)
			continue
		}
		list = append(list, byGroup(table.rows)...)
	}
	return list
}

// code writes keys as Markdown shows them, each for itself.
func code(w words) string {
	return "`" + strings.Join(strings.Fields(string(w)), "` `") + "`"
}
