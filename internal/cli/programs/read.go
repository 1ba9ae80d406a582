package programs

import (
	"context"
	"path/filepath"
	"time"
)

// readTimeout is the time that a reader program may take for one file.
const readTimeout = 30 * time.Second

// Read runs a reader program with the path of a file as its last argument and returns what it prints. It starts no
// shell. The program gets an empty standard input, and is stopped after [readTimeout] or above the size limit of outputs.
func Read(ctx context.Context, words []string, path string) ([]byte, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	r := New(Options{timeout: readTimeout})
	return r.execute(ctx, append(words[:len(words):len(words)], abs), nil)
}
