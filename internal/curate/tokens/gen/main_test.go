package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"testing"

	"github.com/pkoukk/tiktoken-go-loader/assets"
)

// TestEmbeddedIsCurrent compares what is packed, not how well it is compressed.
func TestEmbeddedIsCurrent(t *testing.T) {
	for _, s := range sources {
		ranks, err := assets.Assets.ReadFile(s.file)
		if err != nil {
			t.Fatal(err)
		}
		want, err := pack(ranks)
		if err != nil {
			t.Fatal(err)
		}
		embedded, err := os.Open("../" + s.name + ".gz")
		if err != nil {
			t.Fatal(err)
		}
		defer embedded.Close()
		z, err := gzip.NewReader(embedded)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s.gz is not what the generator writes; run: go run ./internal/curate/tokens/gen", s.name)
		}
	}
}

func TestPackRejects(t *testing.T) {
	for name, ranks := range map[string]string{
		"a gap": "IQ== 0\nIg== 2\n", "no base64": "! 0\n", "no rank": "IQ==\n", "an empty token": " 0\n",
	} {
		if data, err := pack([]byte(ranks)); err == nil {
			t.Errorf("%s is packed to %d bytes", name, len(data))
		}
	}
}
