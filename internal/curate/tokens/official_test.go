package tokens

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The reference is the official tokenizer: the npm package tiktoken, which is OpenAI's
// Rust code compiled to WebAssembly. Its counts of 5,000 texts are recorded. Only these
// commands run the tokenizer itself, which requires node, npm and a registry:
//
//	LENS_TIKTOKEN=1 go test -run TestDifferential -timeout 20m ./internal/curate/tokens
//	go test -run TestOfficial -update ./internal/curate/tokens
//
// The first compares new texts for ten minutes, or for LENS_TIKTOKEN_TIME. The second
// replaces the recorded counts.
const official = "tiktoken@1.0.22"

var update = flag.Bool("update", false, "record anew what "+official+" says")

const recordedFile = "testdata/recorded.jsonl.gz"

// verdict is the official tokenizer's result for a text. It has no pieces for texts of more
// than 300 bytes.
type verdict struct {
	Tokens int   `json:"tokens"`
	Pieces []int `json:"pieces"` // lengths in bytes of the first pieces, at most twelve
}

// recorded is a line of the recorded results.
type recorded struct {
	Text   string  `json:"text"`
	O200k  verdict `json:"o200k"`
	CL100k verdict `json:"cl100k"`
}

// check compares the counts and pieces of both encodings with the recorded ones.
func (r recorded) check(t *testing.T) {
	t.Helper()
	for _, c := range []struct {
		*bpe
		verdict
	}{{&o200k, r.O200k}, {&cl100k, r.CL100k}} {
		if got := c.Count(r.Text); got != c.Tokens {
			t.Errorf("%s of %d bytes %.80q: %d tokens, want %d", c.name, len(r.Text), r.Text, got, c.Tokens)
		}
		at := 0
		for _, want := range c.Pieces {
			end := c.split(c.classes, r.Text, at)
			if end-at != want {
				t.Errorf("%s of %d bytes %.80q: the piece at %d has %d bytes, want %d", c.name, len(r.Text), r.Text, at, end-at, want)
				break
			}
			at = end
		}
	}
}

// TestOfficial compares the counters with the recorded counts.
func TestOfficial(t *testing.T) {
	if *update {
		record(t)
	}
	lines := readRecorded(t)
	if len(lines) != 5000 {
		t.Errorf("%d texts on record, want 5,000", len(lines))
	}
	pieces := 0
	for _, r := range lines {
		pieces += len(r.O200k.Pieces) + len(r.CL100k.Pieces)
		if r.check(t); t.Failed() {
			break
		}
	}
	if pieces < 50_000 {
		t.Errorf("%d pieces on record, want 50,000 at least", pieces)
	}
}

func readRecorded(t testing.TB) (lines []recorded) {
	t.Helper()
	f, err := os.Open(recordedFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for d := json.NewDecoder(z); d.More(); {
		var r recorded
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, r)
	}
	return lines
}

func record(t *testing.T) {
	j := startJudge(t)
	g := newTexts(1)
	batch := []string{
		letters(12_000), strings.Repeat("a", 20_000), strings.Repeat("=", 20_000), strings.Repeat(" ", 20_000), strings.Repeat(" ", 9_999) + "x",
		strings.Repeat("\n", 5_000), strings.Repeat("自由在尊严和权利", 800), strings.Repeat("ab", 8_000), strings.Repeat("A", 8_000) + "字B", strings.Repeat("😀", 3_000),
	}
	for len(batch) < 5000 {
		batch = append(batch, g.next())
	}
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	e := json.NewEncoder(z)
	for _, r := range j.ask(batch) {
		if err := e.Encode(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(recordedFile, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestDifferential generates texts and asks the official tokenizer about each.
func TestDifferential(t *testing.T) {
	if os.Getenv("LENS_TIKTOKEN") == "" {
		t.Skip("set LENS_TIKTOKEN=1 to install " + official + " from npm and compare with it for ten minutes")
	}
	limit := 10 * time.Minute
	if s := os.Getenv("LENS_TIKTOKEN_TIME"); s != "" {
		var err error
		if limit, err = time.ParseDuration(s); err != nil {
			t.Fatal(err)
		}
	}
	j := startJudge(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	g := newTexts(seed)
	n, size, cut := 0, 0, 0
	for start := time.Now(); time.Since(start) < limit && !t.Failed(); {
		batch := make([]string, 200)
		for i := range batch {
			batch[i] = g.next()
			size += len(batch[i])
		}
		for _, r := range j.ask(batch) {
			r.check(t)
			n, cut = n+1, cut+len(r.O200k.Pieces)+len(r.CL100k.Pieces)
		}
	}
	t.Logf("%d texts of %d bytes and %d pieces compared", n, size, cut)
}

// A judge runs the official tokenizer in a separate process.
type judge struct {
	t   *testing.T
	in  io.Writer
	out *json.Decoder
}

func startJudge(t *testing.T) *judge {
	t.Helper()
	script, err := filepath.Abs("testdata/judge.mjs")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if out, err := exec.Command("npm", "install", "--no-audit", "--no-fund", "--prefix", dir, official).CombinedOutput(); err != nil {
		t.Fatalf("npm install %s: %v\n%.500s", official, err, out)
	}
	cmd := exec.CommandContext(t.Context(), "node", script)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close(); _ = cmd.Wait() })
	return &judge{t, in, json.NewDecoder(out)}
}

// ask sends texts to the judge one by one.
func (j *judge) ask(texts []string) []recorded {
	j.t.Helper()
	lines := make([]recorded, len(texts))
	for i, text := range texts {
		line, err := json.Marshal(text)
		if err == nil {
			_, err = j.in.Write(append(line, '\n'))
		}
		if err != nil {
			j.t.Fatal("ask the judge: ", err)
		}
		if err := j.out.Decode(&lines[i]); err != nil {
			j.t.Fatal("read the judge's answer: ", err)
		}
		lines[i].Text = text
	}
	return lines
}
