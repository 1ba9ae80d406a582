package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"agentlens/internal/model"
	"agentlens/internal/redact"
	"agentlens/internal/safe"
	"agentlens/internal/trace"
)

func testGate(t testing.TB) *safe.Gate {
	t.Helper()
	g, err := safe.NewGate(redact.Options{Level: redact.Default})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// sessions writes n small chats into a folder and finds them.
func sessions(t testing.TB, n int) []trace.Found {
	t.Helper()
	dir := t.TempDir()
	for i := range n {
		chat := fmt.Sprintf(`[{"role":"user","content":"question %d"},{"role":"assistant","content":"answer"}]`, i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("chat-%03d.json", i)), []byte(chat), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return (&trace.Finder{Env: os.Getenv}).Below(context.Background(), dir)
}

func TestScanKeepsTheOrder(t *testing.T) {
	files := sessions(t, 100)
	var got []string
	err := Scan(context.Background(), testGate(t), &Cache{}, files, func(r Result) error {
		got = append(got, r.File.Path)
		if r.Err != nil || len(r.Rows) != 1 || r.Rows[0].Messages != 2 {
			t.Errorf("%s: %v, %+v", r.File.Path, r.Err, r.Rows)
		}
		return nil
	})
	if err != nil || len(got) != 100 {
		t.Fatalf("%d results, %v", len(got), err)
	}
	for i, f := range files {
		if got[i] != f.Path {
			t.Fatalf("result %d is of %s, want %s", i, got[i], f.Path)
		}
	}
}

func TestScanEnds(t *testing.T) {
	files, stop := sessions(t, 100), errors.New("enough")
	n := 0
	if err := Scan(context.Background(), testGate(t), &Cache{}, files, func(Result) error {
		if n++; n == 3 {
			return stop
		}
		return nil
	}); !errors.Is(err, stop) || n != 3 {
		t.Errorf("%d results, then %v", n, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Scan(ctx, testGate(t), &Cache{}, files, func(Result) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestCache checks that the cache returns the rows read before, and that a changed file is read again.
func TestCache(t *testing.T) {
	g, dir, files := testGate(t), t.TempDir(), sessions(t, 3)
	scan := func() (rows []Row, cached int) {
		cache := OpenCache(dir, "default", g)
		err := Scan(context.Background(), g, cache, files, func(r Result) error {
			rows = append(rows, r.Rows...)
			if r.Cached {
				cached++
			}
			return nil
		})
		if err == nil {
			err = cache.Save()
		}
		if err != nil {
			t.Fatal(err)
		}
		return rows, cached
	}
	first, cached := scan()
	if cached != 0 {
		t.Errorf("%d rows from an empty cache", cached)
	}
	again, cached := scan()
	if cached != 3 || !reflect.DeepEqual(first, again) {
		t.Errorf("%d of 3 from the cache:\n%+v\n%+v", cached, first, again)
	}
	if err := os.WriteFile(files[1].Path, []byte(`[{"role":"user","content":"another one"}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(files[1].Path)
	if err != nil {
		t.Fatal(err)
	}
	files[1].Size, files[1].Modified = info.Size(), info.ModTime()
	if rows, cached := scan(); cached != 2 || rows[1].Messages != 1 {
		t.Errorf("a changed file: %d cached, %+v", cached, rows[1])
	}
	if err := os.WriteFile(filepath.Join(dir, "runs-default"), []byte(cacheVersion+"\x07broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	if rows, cached := scan(); cached != 0 || len(rows) != 3 {
		t.Errorf("a broken cache: %d cached, %d rows", cached, len(rows))
	}
}

// TestCacheHoldsNoSecret checks that a secret in a title is not written to the cache.
func TestCacheHoldsNoSecret(t *testing.T) {
	g, dir, secret := testGate(t), t.TempDir(), "sk-"+"proj-"+strings.Repeat("Ab3dE6gH9k", 4)
	path := filepath.Join(dir, "chat.json")
	if err := os.WriteFile(path, []byte(`[{"role":"user","content":"use `+secret+` please"}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	cache := OpenCache(dir, "default", g)
	files := []trace.Found{{Path: path, Size: 1, Modified: time.Unix(1, 0)}}
	if err := Scan(context.Background(), g, cache, files, func(Result) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if err := cache.Save(); err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(filepath.Join(dir, "runs-default"))
	if err != nil || !strings.Contains(string(kept), "please") {
		t.Fatalf("nothing was kept: %v", err)
	}
	if strings.Contains(string(kept), secret[3:20]) {
		t.Error("the cache holds the secret")
	}
}

func TestStats(t *testing.T) {
	g := testGate(t)
	used := func(in, out int64) (u model.Usage) {
		u.Set(model.UsageInput, in)
		u.Set(model.UsageOutput, out)
		return u
	}
	rows := []Row{
		{
			Format: "codex", Status: model.StatusFailed, Counts: model.Counts{Calls: 3, ToolCalls: 2}, Errors: 1, Usage: used(10, 1),
			Tools:   []Tool{{Name: g.JSON("Bash"), Calls: 2, Failed: 1}},
			ByModel: []Spent{{Model: g.JSON("small"), Calls: 2, Usage: used(4, 1)}, {Model: g.JSON("big"), Calls: 1, Usage: used(6, 0)}},
		},
		{Format: "pi", Counts: model.Counts{Calls: 1}, Usage: used(100, 5), ByModel: []Spent{{Model: g.JSON("big"), Calls: 1, Usage: used(100, 5)}}},
	}
	for by, want := range map[string]string{
		"format": `"pi" 1 105; "codex" 1 11; `, "model": `"big" 2 111; "small" 1 5; `, "tool": `"Bash" 1 -1; `, "status": `"" 1 105; "failed" 1 11; `,
	} {
		s := NewStats(by, g)
		for i := range rows {
			s.Add(&rows[i])
		}
		got := ""
		for _, sum := range s.Sums() {
			got += fmt.Sprintf("%s %d %d; ", sum.Name, sum.Runs, tokensOf(&sum))
			if want := (Known{Whole: by != "model" && by != "tool", Calls: by != "tool", Tools: by != "model"}); sum.Known != want {
				t.Errorf("by %s, known of %s is %+v, want %+v", by, sum.Name, sum.Known, want)
			}
		}
		if got != want {
			t.Errorf("by %s: %s, want %s", by, got, want)
		}
		if s.Total.Runs != 2 || s.Total.Failed != 1 || s.Total.Calls != 4 || tokensOf(&s.Total) != 116 {
			t.Errorf("by %s, the total is %+v", by, s.Total)
		}
	}
}

func TestFilterAndSort(t *testing.T) {
	g := testGate(t)
	row := Row{Format: "pi", Status: model.StatusPaused, Models: []safe.SafeJSON{g.JSON("GPT-5.4-mini")}, Compactions: 1, Started: model.TimeOf(time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC))}
	row.Usage.Set(model.UsageInput, 500)
	for _, c := range []struct {
		f    Filter
		want bool
	}{
		{Filter{}, true},
		{Filter{Format: "codex"}, false},
		{Filter{Status: "paused", Model: "gpt-5.4"}, true},
		{Filter{Model: "claude"}, false},
		{Filter{Since: time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)}, true},
		{Filter{Since: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)}, false},
		{Filter{MinTokens: 501}, false},
		{Filter{Has: []string{"compaction"}}, true},
		{Filter{Has: []string{"compaction", "pending"}}, false},
	} {
		if got := c.f.Wants(&row); got != c.want {
			t.Errorf("%+v: %v", c.f, got)
		}
	}
	odd := Row{Usage: model.Usage{Input: -5, Known: model.UsageInput}}
	if none := (&Filter{}); !none.Wants(&odd) {
		t.Error("no filter leaves a run out")
	}
	for _, by := range Orders() {
		if !Sort([]Row{row, {}}, by) {
			t.Errorf("no order %s", by)
		}
	}
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{"90m": "2026-11-21 10:30", "7d": "2026-11-14 12:00", "2w": "2026-11-07 12:00", "2026-11-20": "2026-11-20 00:00"} {
		if got, err := ParseSince(text, now); err != nil || got.Format("2006-01-02 15:04") != want {
			t.Errorf("%s is %v, %v", text, got, err)
		}
	}
	if _, err := ParseSince("-3d", now); err == nil {
		t.Error("a moment in the future is taken")
	}
}

// FuzzCodec checks that any cache file yields rows or an error, and that the rows are valid
// JSON.
func FuzzCodec(f *testing.F) {
	g := testGate(f)
	rows := []Row{{ID: g.JSON("a"), Title: g.JSON("t\u202e"), Models: []safe.SafeJSON{g.JSON("m")}, Tools: []Tool{{Name: g.JSON("x"), Calls: 3}}, ByModel: []Spent{{Calls: 1}}}}
	var out codec
	list(&out, &rows, 20, out.row)
	f.Add(out.b)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := codec{b: data, reading: true, gate: g}
		var rows []Row
		list(&in, &rows, 20, in.row)
		if in.err != nil {
			return
		}
		for _, row := range rows {
			if doc, err := json.Marshal(row); err != nil || !json.Valid(doc) {
				t.Fatalf("%q: %v", doc, err)
			}
		}
	})
}

func BenchmarkScan(b *testing.B) {
	files, g := sessions(b, 2000), testGate(b)
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			Scan(context.Background(), g, &Cache{}, files, func(Result) error { return nil })
		}
	})
	cache := OpenCache(b.TempDir(), "x", g)
	Scan(context.Background(), g, cache, files, func(Result) error { return nil })
	b.Run("cached", func(b *testing.B) {
		for b.Loop() {
			Scan(context.Background(), g, cache, files, func(Result) error { return nil })
		}
	})
}

// tokensOf returns the tokens of a sum, -1 where none are known.
func tokensOf(sum *Sum) int64 {
	n, ok := sum.Tokens()
	if !ok {
		return -1
	}
	return n
}

// TestCost checks that a known cost is never shown as unknown.
func TestCost(t *testing.T) {
	for usd, want := range map[float64]string{0: "$0.00", 0.0000264: "<$0.0001", 0.0036528: "$0.0037", 0.0099: "$0.0099", 0.01: "$0.01", 3.14159: "$3.14"} {
		var u model.Usage
		u.SetCost(usd)
		if got := Cost(u); got != want {
			t.Errorf("%v is %s, want %s", usd, got, want)
		}
	}
	if got := Cost(model.Usage{}); got != "–" {
		t.Errorf("a cost that is not recorded is %s", got)
	}
}
