package pi

import (
	"bytes"
	"os"
	"testing"

	"agentlens/internal/jsontext"
)

func BenchmarkParse(b *testing.B) {
	data, err := os.ReadFile("../../../../testdata/pi/tree.jsonl")
	if err != nil {
		b.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	b.SetBytes(int64(len(data)))
	var r record
	var s jsontext.Scanner
	for b.Loop() {
		for _, line := range lines {
			r.parse(&s, line)
		}
	}
}
