package claudecode

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/source"
)

const own = "../../../../testdata/claude-code/compacted.jsonl"

// TestParentCycle checks that a cycle of parents loses no messages and adds a warning.
func TestParentCycle(t *testing.T) {
	for name, parents := range map[string][]int{
		"of four": {0, 1, 6, 3, 4, 5, 6, 7}, "of one": {0, 1, 2, 4, 4, 5}, "of all": {4, 1, 2, 3}, "of two, twice": {0, 3, 2, 5, 4, 5},
	} {
		var b strings.Builder
		for i, parent := range parents {
			fmt.Fprintf(&b, `{"type":"user","uuid":"u%d","parentUuid":"u%d","sessionId":"s","timestamp":"2026-01-02T03:04:%02dZ","message":{"role":"user","content":"m%d"}}`+"\n", i+1, parent, i, i+1)
		}
		path := filepath.Join(t.TempDir(), "ring.jsonl")
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(b.String(), `"parentUuid":"u0"`, `"parentUuid":null`)), 0o600); err != nil {
			t.Fatal(err)
		}
		run := load(t, path)
		if n := run.Threads[0].Len(); n != len(parents) {
			t.Errorf("cycle %s: %d of %d messages", name, n, len(parents))
		}
		if len(run.Warnings) == 0 || run.Warnings[0].Code != model.WarnBrokenParent || !strings.Contains(run.Warnings[0].Where, "ring.jsonl") {
			t.Errorf("cycle %s: warnings %+v", name, run.Warnings)
		}
	}
}

func TestCompacted(t *testing.T) {
	run := load(t, own)
	if run.ID != "aaaaaaaa-1111-4222-8333-bbbbbbbbbbbb" || run.Title != "Price rounding in the shop" {
		t.Errorf("id %q, title %q", run.ID, run.Title)
	}
	if want := (model.Counts{Threads: 2, Messages: 17, ToolCalls: 6, Pending: 1, Calls: 6}); run.Counts() != want {
		t.Errorf("%+v, want %+v", run.Counts(), want)
	}
	main := run.Threads[0]
	var roles strings.Builder
	for i := range main.Len() {
		roles.WriteString(main.At(i).Role.String()[:1])
	}
	if roles.String() != "uuatttatuauatua" {
		t.Errorf("roles %s", roles.String())
	}
	reply := main.At(2)
	if len(reply.Calls) != 3 || len(reply.Origin) != 5 || !reply.Badges.Has(model.Sealed) {
		t.Errorf("the first reply: %+v", reply)
	}
	for j, want := range []int32{3, 4, 5} {
		if reply.Calls[j].Result.Or(-1) != int(want) {
			t.Errorf("call %d has result %d, want %d", j, reply.Calls[j].Result.Or(-1), want)
		}
	}
	if !main.At(5).IsError || !reply.Calls[2].Failed || main.At(5).ToolName != "Read" {
		t.Errorf("the failed result: %+v", main.At(5))
	}
	if !main.At(1).Badges.Has(model.Injected) || main.At(0).Badges.Has(model.Injected) {
		t.Error("want the reminder injected and the prompt not injected")
	}
	if text, _ := run.Text(main.At(0)); text != "Prices are wrong by a cent. Never touch the ledger table." {
		t.Errorf("first prompt %q", text)
	}
	if got := run.Threads[1].Pending(); len(got) != 1 || got[0] != "toolu_a" {
		t.Errorf("pending in the sub-agent: %v; want none, because call ids are per thread", got)
	}
	u := run.TotalUsage()
	if u.Input != 5+7+3+9+9+4 || u.Output != 64+20+9+30+30+40 {
		t.Errorf("usage %+v: want one count per reply, with the largest output", u)
	}
	for _, warning := range []string{"torn", "unknown-record"} {
		found := false
		for _, w := range run.Warnings {
			found = found || w.Code.String() == warning
		}
		if !found {
			t.Errorf("no warning %s in %v", warning, run.Warnings)
		}
	}
	if r := run.Records; r.Read != r.Messages+r.Documents+r.Opaque+r.Torn+r.Skipped || r.Torn != 1 || r.Opaque != 1 {
		t.Errorf("records %+v", r)
	}
}

func TestCompactedEdits(t *testing.T) {
	main := load(t, own).Threads[0]
	if len(main.Edits) != 2 || main.Edits[0].Kind != model.Clear || main.Edits[1].Kind != model.Restart {
		t.Fatalf("edits %+v", main.Edits)
	}
	if e := main.Edits[0]; len(e.Targets) != 1 || main.At(int(e.Targets[0])).CallID != "toolu_a" {
		t.Errorf("cleared %+v", e)
	}
	e := main.Edits[1]
	if first := main.At(e.From); !first.Badges.Has(model.Summary) || e.After != e.From-1 {
		t.Errorf("the first edit is %+v", first)
	}
	for i, c := range main.Calls {
		if c.Basis != model.Derived || c.Given != c.Reply.Or(-1) {
			t.Errorf("call %d: %+v", i+1, c)
		}
	}
}

// TestTruncatedAnywhere truncates the record at every byte. Each cut must open or
// return an error, and its record counts must add up.
func TestTruncatedAnywhere(t *testing.T) {
	data, err := os.ReadFile(own)
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(data); n += 7 {
		readBytes(t, data[:n])
	}
}

func readBytes(t *testing.T, data []byte) {
	t.Helper()
	f, err := source.FromReader("test", strings.NewReader(string(data)))
	if err != nil {
		return
	}
	run, err := (&session{file: f}).Load(context.Background(), "", source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r := run.Records; r.Read != r.Messages+r.Documents+r.Opaque+r.Torn+r.Skipped {
		t.Fatalf("records do not add up: %+v", r)
	}
	for _, th := range run.Threads {
		for i := range th.Len() {
			m := th.At(i)
			run.Text(m)
			run.Thinking(m)
			for _, c := range m.Calls {
				run.Body(c.Args)
			}
		}
	}
}

// TestHostile checks that malformed records of every kind can be read.
func TestHostile(t *testing.T) {
	line := func(s string) string { return s + "\n" }
	deep := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	for name, text := range map[string]string{
		"a cycle of parents": line(`{"type":"user","uuid":"a","parentUuid":"b","sessionId":"s","message":{"role":"user","content":"x"}}`) + line(`{"type":"user","uuid":"b","parentUuid":"a","sessionId":"s","message":{"role":"user","content":"y"}}`),
		"its own parent":     line(`{"type":"user","uuid":"a","parentUuid":"a","sessionId":"s","message":{"role":"user","content":"x"}}`),
		"wrong types":        line(`{"type":5,"uuid":[],"parentUuid":{},"sessionId":null,"message":"x","isSidechain":"y"}`) + line(`{"type":"assistant","uuid":"a","message":{"id":3,"content":{"a":1},"usage":[]}}`),
		"blocks":             line(`{"type":"user","uuid":"a","message":{"content":[5,null,"bare",{"type":7},{"type":"tool_result","content":{"x":1}},{"type":"tool_result","tool_use_id":9}]}}`),
		"deep":               line(`{"type":"user","uuid":"a","x":` + deep + `,"message":{"role":"user","content":"x"}}`),
		"invalid UTF-8":      line("{\"type\":\"user\",\"uuid\":\"a\",\"message\":{\"role\":\"user\",\"content\":\"a\xff\xfeb\"}}"),
		"no JSON":            "hello\nworld\n",
		"empty lines":        "\n\n \n",
		"a byte order mark":  "\xef\xbb\xbf" + line(`{"type":"user","uuid":"a","message":{"role":"user","content":"x"}}`),
	} {
		t.Run(name, func(t *testing.T) { readBytes(t, []byte(text)) })
	}
}

func TestHugeLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "huge.jsonl")
	big := strings.Repeat("a line of output\\n", 60<<20/17)
	text := `{"type":"user","uuid":"a","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"x"}}` + "\n" +
		`{"type":"user","uuid":"b","parentUuid":"a","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"` + big + `"}]}}` + "\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	run := load(t, path)
	body, err := run.Text(run.Threads[0].At(1))
	if err != nil || len(body) != 60<<20/17*17 {
		t.Errorf("%d bytes of text, %v", len(body), err)
	}
}

func FuzzRead(f *testing.F) {
	data, err := os.ReadFile(own)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	for _, line := range strings.SplitAfter(string(data), "\n") {
		f.Add([]byte(line))
	}
	f.Fuzz(readBytes)
}

// TestListLongFirstLine checks that List finds the session id after a long first line.
func TestListLongFirstLine(t *testing.T) {
	data, err := os.ReadFile(own)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "renamed.jsonl")
	long := strings.Replace(string(data), "Prices are wrong", strings.Repeat("Prices are wrong ", listLen/10), 1)
	if err := os.WriteFile(path, []byte(long), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := source.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	list, err := (&session{file: f}).List(context.Background())
	if want := load(t, path).ID; err != nil || len(list) != 1 || list[0].ID != want {
		t.Errorf("listed %+v, want the id %s: %v", list, want, err)
	}
}
