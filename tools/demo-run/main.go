// Command demo-run writes the built-in run, internal/demo/demo.jsonl.gz:
//
//	go run -C tools ./demo-run
//
// The run is an invented coding session in the session format of Claude Code. The
// command is deterministic: ids, times and figures come from fixed seeds. An
// engineer asks why invoices are a cent off. The agent finds out, the context is
// compacted twice, the second summary loses the engineer's conditions, and the
// agent breaks them.
//
// The story is in story_*.go, written with the verbs of [session]. Long texts are
// in text/, and the service that the session works on is in project/. Tool results
// are computed from the current state of that project, or by figures.go, so that
// the numbers in them are right.
//
// The secrets are fake, and are assembled here at run time: no file of this
// repository may contain one as plain text.
package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"

	"agentlens/tools/internal/tree"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "demo-run:", err)
		os.Exit(1)
	}
}

func run() error {
	root, err := tree.Root()
	if err != nil {
		return err
	}
	records, err := generate()
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := z.Write(records); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, "internal", "demo", "demo.jsonl.gz"), packed.Bytes(), 0o644)
}

// generate returns the records of the session, one JSON object per line.
func generate() ([]byte, error) {
	s, err := newSession()
	if err != nil {
		return nil, err
	}
	before(s)
	after(s)
	return s.out.Bytes(), s.err
}
