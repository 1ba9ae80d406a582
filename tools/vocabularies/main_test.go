package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/pkoukk/tiktoken-go-loader/assets"

	"agentlens/tools/internal/tree"
)

func TestEmbeddedIsCurrent(t *testing.T) {
	root, err := tree.Root()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sources {
		ranks, err := assets.Assets.ReadFile(s.file)
		if err != nil {
			t.Fatal(err)
		}
		want, err := pack(ranks)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(packedPath(root, s.name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s.table is out of date; run: go run -C tools ./vocabularies", s.name)
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
