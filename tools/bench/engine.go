//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// A figure is a metric of the benchmark of the engine, with its unit.
type figure struct{ metric, what, unit string }

func figures() []figure {
	return []figure{
		{"ms-four-strategies", "four strategies over 100,000 messages, together", "ms of CPU"},
		{"ms-view", "the slowest of their views", "ms of CPU"},
		{"x-head_tail-eightfold", "`head_tail(20000, tail=20000)`, 100,000 messages against 12,500", "times"},
		{"x-keep_relevant-1M-20k", "`keep_relevant(1M)` against `keep_relevant(20k)`", "times"},
	}
}

// printEngine runs the benchmark of the engine, and prints its figures and the size of the program.
func (b *bench) printEngine() error {
	cmd := exec.Command("go", "test", "-run", "^$", "-bench", "^BenchmarkFigures$", "./internal/curate/strategy")
	cmd.Dir = b.root
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("benchmark of the engine: %w\n%s", err, out)
	}
	values, fields := map[string]string{}, strings.Fields(string(out))
	for i := 1; i < len(fields); i++ {
		values[fields[i]] = fields[i-1]
	}
	fmt.Println("\n| figure | value |\n| --- | --- |")
	for _, f := range figures() {
		if values[f.metric] == "" {
			return fmt.Errorf("benchmark of the engine: no %s in its output\n%s", f.metric, out)
		}
		fmt.Printf("| %s | %s %s |\n", f.what, values[f.metric], f.unit)
	}
	info, err := os.Stat(b.lens)
	if err != nil {
		return err
	}
	fmt.Printf("| the program, stripped | %.1f MB |\n", float64(info.Size())/1e6)
	return nil
}
