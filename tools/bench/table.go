//go:build unix

package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// A row compares a command with what it is measured against.
type row struct {
	what, against string
	command       []string
	peer          []string // nil measures the command alone
	// first removes the sizes of messages that an earlier command kept.
	first bool
}

// table makes the inputs and prints a row for each comparison.
func (b *bench) table(megabytes, sessions int) error {
	start, err := b.startRows()
	if err != nil {
		return err
	}
	many, err := b.manyRows(sessions)
	if err != nil {
		return err
	}
	large, err := b.largeRows(megabytes)
	if err != nil {
		return err
	}
	long, err := b.longRows()
	if err != nil {
		return err
	}
	documents, err := b.documentRows(megabytes)
	if err != nil {
		return err
	}
	fmt.Printf("%s, %s/%s, %d processors; lowest of %d runs\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), b.runs)
	fmt.Println("| what | CPU | peak memory | against | its CPU | ratio |\n| --- | --- | --- | --- | --- | --- |")
	for _, list := range [][]row{start, many, large, documents, long} {
		for _, r := range list {
			if err := b.print(r); err != nil {
				return err
			}
		}
	}
	return b.printGrowth()
}

func (b *bench) print(r row) error {
	b.forget = r.first
	x, y, err := b.both(r.command, r.peer)
	b.forget = false
	if err != nil {
		return err
	}
	peer, ratio := "–", "–"
	if r.peer != nil {
		peer, ratio = seconds(y.cpu), fmt.Sprintf("%.1f", float64(x.cpu)/math.Max(float64(y.cpu), 1))
	}
	fmt.Printf("| %s | %s | %d MB | %s | %s | %s |\n", r.what, seconds(x.cpu), x.memory>>20, r.against, peer, ratio)
	return nil
}

func seconds(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}

const emptyProgram = "an empty Go program"

func (b *bench) startRows() ([]row, error) {
	text := filepath.Join(b.dir, "1k.txt")
	if err := os.WriteFile(text, []byte(strings.Repeat("A short line of plain words, 42.\n", 32))[:1024], 0o600); err != nil {
		return nil, err
	}
	return []row{
		{what: "`lens --version`", against: emptyProgram, command: []string{b.lens, "--version"}, peer: []string{b.empty}},
		{what: "`lens tokens`, 1 KB", against: emptyProgram, command: []string{b.lens, "tokens", text}, peer: []string{b.empty}},
	}, nil
}

const readAndCount = "read and count lines"

func (b *bench) manyRows(sessions int) ([]row, error) {
	folder := filepath.Join(b.dir, "many")
	for i := range sessions {
		path := filepath.Join(folder, fmt.Sprintf("p%02d", i%40), fmt.Sprintf("%08x-0000-4000-8000-%012x.jsonl", i, i))
		if err := writeSession(path, uint64(i), 40, 1<<40, 1000); err != nil {
			return nil, err
		}
	}
	title := fmt.Sprintf("%d sessions", sessions)
	scan := []string{b.self, "-scan", folder}
	return []row{
		{what: "`list`, " + title + ", no cache", against: readAndCount, command: []string{b.lens, "list", "--no-cache", folder}, peer: scan},
		{what: "`list`, " + title + ", cached", against: emptyProgram, command: []string{b.lens, "list", folder}, peer: []string{b.empty}},
		{what: "`stats`, " + title + ", cached", against: emptyProgram, command: []string{b.lens, "stats", folder}, peer: []string{b.empty}},
		{what: "`search`, " + title + ", no hit", against: b.grep[0], command: []string{b.lens, "search", none, folder}, peer: append(b.grepIn(folder), none, folder)},
	}, nil
}

// grepIn returns the search command for a file or a folder.
func (b *bench) grepIn(path string) []string {
	if info, err := os.Stat(path); err == nil && info.IsDir() && b.grep[0] == "grep" {
		return []string{"grep", "-rc"}
	}
	return b.grep[:len(b.grep):len(b.grep)]
}

func (b *bench) largeRows(megabytes int) ([]row, error) {
	path := filepath.Join(b.dir, "large.jsonl")
	if err := writeSession(path, 1, math.MaxInt, megabytes<<20, 2000); err != nil {
		return nil, err
	}
	title := fmt.Sprintf("%d MB", megabytes)
	scan := []string{b.self, "-scan", path}
	chain := "sliding_window(50)"
	lens := func(args ...string) []string { return append([]string{b.lens}, args...) }
	grep := func(word string) []string { return append(b.grepIn(path), word, path) }
	rows := []row{
		{what: "`list`", command: lens("list", "--no-cache", path)},
		{what: "`search`, no hit", against: b.grep[0], command: lens("search", none, path), peer: grep(none)},
		{what: "`search`, hits", against: b.grep[0], command: lens("search", rare, path), peer: grep(rare)},
		{what: "`curate --call last`, first time", first: true, command: lens("curate", "--strategy", chain, "--call", "last", path)},
		{what: "`curate --call last`", command: lens("curate", "--strategy", chain, "--call", "last", path)},
		{what: "`diff --call last`", command: lens("diff", "--strategy", chain, "--call", "last", path)},
		{what: "`compare`, one chain, first time", first: true, command: lens("compare", path, chain)},
		{what: "`compare`, one chain", command: lens("compare", path, chain)},
		{what: "`stats --by tool`", command: lens("stats", "--no-cache", "--by", "tool", path)},
		{what: "`export`", command: lens("export", path)},
		{what: "`audit`", command: lens("audit", path)},
	}
	for i := range rows {
		r := &rows[i]
		if r.what += ", " + title; r.peer == nil {
			r.against, r.peer = readAndCount, scan
		}
	}
	return rows, nil
}

func (b *bench) longRows() ([]row, error) {
	var rows []row
	path, err := b.long(40_000)
	for _, g := range grown() {
		rows = append(rows, row{what: "`" + g.name + "`, 40,000 messages", against: readAndCount, command: g.on(b, path), peer: []string{b.self, "-scan", path}})
	}
	return rows, err
}
