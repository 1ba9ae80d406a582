package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"agentlens/internal/library/match"
	"agentlens/internal/library/places"
	"agentlens/internal/model"
	"agentlens/internal/redact"
	"agentlens/internal/safe"
	"agentlens/internal/trace"
)

// session writes a session of n messages. Some contain the word: unchanged, in capitals,
// with an escaped letter, or divided by a newline.
func session(t *testing.T, n int) string {
	t.Helper()
	rnd := rand.New(rand.NewPCG(7, 7))
	var b strings.Builder
	forms := []string{"needle", "NEEDLE", `n\u0065edle`, `nee\ndle`, "", "", "", ""}
	for i := range n {
		filler := strings.Repeat(`so much hay \u003cb\u003e `, rnd.IntN(400))
		text := filler + forms[rnd.IntN(len(forms))] + " " + filler
		fmt.Fprintf(&b, `{"parentUuid":"u%d","sessionId":"s","type":"user","uuid":"u%d","message":{"role":"user","content":"%s"}}`+"\n", i-1, i, text)
	}
	path := filepath.Join(t.TempDir(), "session.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestSpotsLoseNothing compares the search that skips texts with one that reads all of
// them.
func TestSpotsLoseNothing(t *testing.T) {
	path := session(t, 400)
	gate, err := safe.NewGate(redact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"needle", "Needle", "hay <b> needle", "dle", "edl", "no such"} {
		q := &Query{Match: match.Literal(pattern)}
		src, err := trace.Open(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		want := Source(context.Background(), gate, q, src)
		src.Close()
		err = Files(context.Background(), gate, q, []trace.Found{{Path: path}}, func(got Result) error {
			if got.Err != nil || want.Err != nil || fmt.Sprint(got.Hits) != fmt.Sprint(want.Hits) {
				t.Errorf("%q: %d hits, want %d (%v, %v)", pattern, len(got.Hits), len(want.Hits), got.Err, want.Err)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(want.Hits); pattern == "needle" && (n < 100 || n > 250) {
			t.Errorf("%d of 400 messages hold the word", n)
		}
	}
}

// TestPiecesMeet checks that a hit across the ends of blocks and pieces is found once.
func TestPiecesMeet(t *testing.T) {
	text := []byte(`["` + strings.Repeat("-", pieceLen+3*blockLen) + `"]`)
	var want []int64
	for _, end := range []int64{blockLen, 2 * blockLen, pieceLen, pieceLen + blockLen} {
		at := end - 3
		copy(text[at:], "needle")
		want = append(want, at)
	}
	path := filepath.Join(t.TempDir(), "a.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	s := &searcher{raw: match.Literal("needle").Raw()}
	f := trace.Found{Path: path}
	found, err := s.look(context.Background(), f)
	if err == nil {
		found, err = s.whole(context.Background(), f, found)
	}
	if err != nil || fmt.Sprint(found.at) != fmt.Sprint(want) {
		t.Errorf("found at %v, want %v, %v", found.at, want, err)
	}
}

// TestReadAgain checks that the spots of a file stay in order if each of its runs reads all of it.
func TestReadAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	line := []byte("{\"a\": \"needle needle\"}\n")
	if err := os.WriteFile(path, line, 0o600); err != nil {
		t.Fatal(err)
	}
	s := &searcher{raw: match.Literal("needle").Raw()}
	found := spots{path: path, rest: &watched{searcher: s}}
	for run := range 3 {
		found.rest.see(line, 0)
		where, err := s.whole(context.Background(), trace.Found{Path: path}, found)
		if want := []int64{7, 14}; err != nil || !slices.Equal(where.at, want) {
			t.Errorf("run %d: found at %v, want %v, %v", run+1, where.at, want, err)
		}
	}
}

// TestRelatedFiles checks that a session is read only if its file or a file of its sub-agents may match.
func TestRelatedFiles(t *testing.T) {
	folder := t.TempDir()
	write := func(name, side, text string) string {
		path := filepath.Join(folder, name)
		line := fmt.Sprintf(`{"parentUuid":null,"sessionId":"s",%s"type":"user","uuid":"%s","message":{"role":"user","content":"%s"}}`+"\n", side, filepath.Base(name), text)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	path := write("s.jsonl", "", "the garden")
	write("s/subagents/agent-a.jsonl", `"isSidechain":true,"agentId":"a",`, "the needle")
	gate, err := safe.NewGate(redact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string]struct {
		read bool
		hits int
	}{"needle": {true, 1}, "garden": {true, 1}, "the": {true, 2}, "no such": {false, 0}} {
		s := &searcher{gate: gate, query: &Query{Match: match.Literal(pattern)}, raw: match.Literal(pattern).Raw()}
		found, err := s.look(context.Background(), trace.Found{Path: path})
		if err != nil || found.any() != want.read {
			t.Errorf("%q: a match is possible: %t, want %t (%v)", pattern, found.any(), want.read, err)
		}
		if got := s.file(context.Background(), trace.Found{Path: path}); len(got.Hits) != want.hits || got.Err != nil {
			t.Errorf("%q: %d hits, want %d (%v)", pattern, len(got.Hits), want.hits, got.Err)
		}
	}
}

// TestPlaces checks that a second search of a large session finds what the first one found, by the places that it kept,
// and that a session whose names hold a secret is loaded again.
func TestPlaces(t *testing.T) {
	gate, err := safe.NewGate(redact.Options{Level: redact.Default})
	if err != nil {
		t.Fatal(err)
	}
	for first, want := range map[string]int{"plain": 1, "key AKIA" + "Z7VRSQ5TJN2XMPLQ": 0} {
		path := large(t, first)
		folder := t.TempDir()
		search := func(q Query) string {
			q.Places = places.Open(folder, time.Now().Add(time.Hour), nil)
			var hits []Hit
			err := Files(context.Background(), gate, &q, found(t, path), func(r Result) error {
				hits = append(hits, r.Hits...)
				return r.Err
			})
			if err != nil {
				t.Fatal(err)
			}
			return fmt.Sprint(hits)
		}
		loaded := map[int]string{}
		queries := []Query{
			{Match: match.Literal("needle"), Before: 1, After: 2},
			{Match: match.Literal("Shell"), Tool: "Shell"},
			{Failed: true},
			{Match: match.Literal("no such")},
			{Match: match.Literal("needle"), RoleSet: true, Role: model.Tool, PerRun: 2},
		}
		for i, q := range queries {
			loaded[i] = search(q)
			os.RemoveAll(folder)
		}
		search(queries[0])
		if list, _ := os.ReadDir(folder); len(list) != want {
			t.Errorf("%q: %d files of places, want %d", first, len(list), want)
		}
		for i, q := range queries {
			if got := search(q); got != loaded[i] || (got == "[]") != (i == 3) {
				t.Errorf("%q, query %d: got\n%.500s\nwant\n%.500s", first, i, got, loaded[i])
			}
		}
	}
}

// large writes a session with failed calls that is large enough for its places to be kept. It begins with the given text.
func large(t *testing.T, first string) string {
	t.Helper()
	filler := strings.Repeat("so much hay ", 8000)
	var b strings.Builder
	line := func(i int, kind, content string) {
		fmt.Fprintf(&b, `{"parentUuid":"u%d","sessionId":"s","type":"%s","uuid":"u%d","timestamp":"2026-01-02T03:04:%02dZ","message":{"id":"m%d","role":"%s","content":%s}}`+"\n", i-1, kind, i, i%60, i, kind, content)
	}
	line(0, "user", `"`+first+`"`)
	for i := 1; i < 200; i += 2 {
		line(i, "assistant", fmt.Sprintf(`[{"type":"text","text":"now %d"},{"type":"tool_use","id":"c%d","name":"Shell","input":{"command":"run %d"}}]`, i, i, i))
		word := []string{"", "needle", `nee\ndle`}[i%3]
		line(i+1, "user", fmt.Sprintf(`[{"type":"tool_result","tool_use_id":"c%d","is_error":%t,"content":"%s %s %s"}]`, i, i%7 == 0, filler, word, filler[:i]))
	}
	path := filepath.Join(t.TempDir(), "large.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func found(t *testing.T, path string) []trace.Found {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return []trace.Found{{Path: path, Size: info.Size(), Modified: info.ModTime()}}
}
