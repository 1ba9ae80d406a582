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
	fmt.Printf("%s, %s/%s, %d processors; lowest of %d runs\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), b.runs)
	fmt.Println("| what | CPU | peak memory | against | its CPU | ratio |\n| --- | --- | --- | --- | --- | --- |")
	for _, list := range [][]row{start, many, large, long} {
		for _, r := range list {
			if err := b.print(r); err != nil {
				return err
			}
		}
	}
	return b.printGrowth()
}

func (b *bench) print(r row) error {
	x, y, err := b.both(r.command, r.peer)
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
		{"`lens --version`", emptyProgram, []string{b.lens, "--version"}, []string{b.empty}},
		{"`lens tokens`, 1 KB", emptyProgram, []string{b.lens, "tokens", text}, []string{b.empty}},
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
		{"`list`, " + title + ", no cache", readAndCount, []string{b.lens, "list", "--no-cache", folder}, scan},
		{"`list`, " + title + ", cached", emptyProgram, []string{b.lens, "list", folder}, []string{b.empty}},
		{"`stats`, " + title + ", cached", emptyProgram, []string{b.lens, "stats", folder}, []string{b.empty}},
		{"`search`, " + title + ", no hit", b.grep[0], []string{b.lens, "search", none, folder}, append(b.grepIn(folder), none, folder)},
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
	return []row{
		{"`list`, " + title, readAndCount, []string{b.lens, "list", "--no-cache", path}, scan},
		{"`search`, " + title + ", no hit", b.grep[0], []string{b.lens, "search", none, path}, append(b.grepIn(path), none, path)},
		{"`search`, " + title + ", hits", b.grep[0], []string{b.lens, "search", rare, path}, append(b.grepIn(path), rare, path)},
		{"`curate --call last`, " + title, readAndCount, []string{b.lens, "curate", "--strategy", chain, "--call", "last", path}, scan},
		{"`diff --call last`, " + title, readAndCount, []string{b.lens, "diff", "--strategy", chain, "--call", "last", path}, scan},
		{"`compare`, one chain, " + title, readAndCount, []string{b.lens, "compare", path, chain}, scan},
		{"`audit`, " + title, readAndCount, []string{b.lens, "audit", path}, scan},
		{"`export`, " + title, readAndCount, []string{b.lens, "export", path}, scan},
	}, nil
}

func (b *bench) longRows() ([]row, error) {
	var rows []row
	path, err := b.long(40_000)
	for _, g := range grown() {
		rows = append(rows, row{"`" + g.name + "`, 40,000 messages", readAndCount, g.on(b, path), []string{b.self, "-scan", path}})
	}
	return rows, err
}
