// Command shots makes the pictures of the README, docs/*.png:
//
//	go run -C tools ./shots -font /usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf
//
// With -theme it makes those of another theme. It builds lens, runs it on the built-in run or on a record
// of testdata in a pseudo-terminal, presses keys, and draws what a terminal emulator shows. The font has
// to be monospaced.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"agentlens/tools/internal/tree"
)

// The size of the screen in cells.
const width, height = 130, 36

// A shot is one picture, made in both themes.
type shot struct {
	name  string
	chain string // strategy chain, if any
	keys  []string
	// file is a record below testdata, or "" for the built-in run. call is the call shown, 0 for the
	// last one.
	file string
	call int
}

const (
	right = "\x1b[C"
	back  = "\x1b[Z" // shift-tab, to the pane at the left
	short = "truncate_tool_results(1000)"
)

var shots = []shot{
	{name: "inspector"},
	{name: "strategy", chain: short + " | head_tail(1, tail=20)", keys: []string{"S"}},
	{name: "compare", chain: short + " | head_tail(1, tail=20)", keys: []string{"C", right, right}},
	{name: "timeline", keys: []string{"T"}},
	{name: "diff", chain: short, keys: []string{"d", "|", ".", ".", "."}},
	{name: "rendered", file: "flujo/debug-export.json", call: 4, keys: []string{"\t", "k", "k"}},
	{name: "steps", file: "wink/task_steps.json", call: 4, keys: []string{back, "g", "j", "L"}},
	{name: "resume", file: "wink/crashed.jsonl", keys: []string{":", "resume", "\r"}},
}

func main() {
	font := flag.String("font", "", "monospaced TrueType font")
	out := flag.String("o", "", "folder to write to (default: docs)")
	only := flag.String("theme", "", "make only the pictures of this theme (default: dark and light)")
	flag.Parse()
	if err := run(*font, *out, *only); err != nil {
		fmt.Fprintln(os.Stderr, "shots:", err)
		os.Exit(1)
	}
}

func run(fontPath, out, only string) error {
	root, err := tree.Root()
	if err != nil {
		return err
	}
	if out == "" {
		out = filepath.Join(root, "docs")
	}
	f, err := openFont(fontPath, 13)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "shots")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "program")
	build := exec.Command("go", "build", "-o", program, "./cmd/lens")
	build.Dir, build.Stderr = root, os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("build lens: %w", err)
	}
	for _, s := range shots {
		for _, th := range themes {
			if th.name != only && (only != "" || !th.usual) {
				continue
			}
			screen, err := record(program, dir, filepath.Join(root, "testdata"), s, th.name)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", s.name, th.name, err)
			}
			if err := writePNG(filepath.Join(out, s.name+"-"+th.name+".png"), f.draw(screen, th)); err != nil {
				return err
			}
		}
	}
	return nil
}
