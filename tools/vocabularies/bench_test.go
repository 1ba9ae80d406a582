package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"

	"agentlens/internal/curate/tokens"
	"agentlens/tools/internal/tree"
)

// BenchmarkCount compares the counters of lens with tiktoken-go on Go source, and
// fails if they count differently.
func BenchmarkCount(b *testing.B) {
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	text := goSource(b)
	for _, c := range []struct{ model, encoding string }{
		{"gpt-4o", tiktoken.MODEL_O200K_BASE},
		{"gpt-4", tiktoken.MODEL_CL100K_BASE},
	} {
		control, err := tiktoken.GetEncoding(c.encoding)
		if err != nil {
			b.Fatal(err)
		}
		counter := tokens.For(c.model)
		if got, want := counter.Count(text), len(control.EncodeOrdinary(text)); got != want {
			b.Fatalf("%s: %d tokens, tiktoken-go counts %d", c.encoding, got, want)
		}
		b.Run(c.encoding+"/lens", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for range b.N {
				counter.Count(text)
			}
		})
		b.Run(c.encoding+"/tiktoken-go", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for range b.N {
				control.EncodeOrdinary(text)
			}
		})
	}
}

// goSource returns the source of package tokens.
func goSource(b *testing.B) string {
	b.Helper()
	root, err := tree.Root()
	if err != nil {
		b.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(root, "internal", "curate", "tokens", "*.go"))
	if err != nil {
		b.Fatal(err)
	}
	var text []byte
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		text = append(text, data...)
	}
	return string(text)
}
