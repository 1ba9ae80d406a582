package openaiagents

import (
	"flag"
	"testing"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/rows"
	"agentlens/internal/trace/ground/rows/rowstest"
	"agentlens/internal/trace/ground/source"
)

var _ = flag.Bool("update", false, "rewrite the golden files")

const own = "../../../../testdata/openaiagents"

func TestGolden(t *testing.T)    { rowstest.Golden(t, Format(), own) }
func TestUntouched(t *testing.T) { rowstest.Untouched(t, Format(), own+"/advanced.sql") }
func TestSniff(t *testing.T)     { rowstest.Claims(t, Format(), rowstest.In("openaiagents")) }

func TestBranches(t *testing.T) {
	run := rowstest.LoadFile(t, Format(), own+"/advanced.sql")[0]
	if len(run.Threads) != 2 {
		t.Fatalf("%d threads", len(run.Threads))
	}
	main, retry := run.Threads[0], run.Threads[1]
	if main.Len() != 4 || len(main.Calls) != 2 || len(main.Pending()) != 1 || main.Pending()[0] != "call_2" {
		t.Errorf("main: %d messages, %d calls, pending %v", main.Len(), len(main.Calls), main.Pending())
	}
	if retry.Len() != 4 || len(retry.Calls) != 1 || retry.ParentID != "chat-1" {
		t.Errorf("retry: %d messages, %d calls: copied replies are not calls", retry.Len(), len(retry.Calls))
	}
	if reply := main.At(1); len(reply.Origin) != 4 || len(reply.Calls) != 2 || !reply.Badges.Has(model.Sealed) {
		t.Errorf("reply of four items: %+v", reply)
	}
	want := model.Usage{Input: 90, CacheRead: 60, Output: 30, Reasoning: 5}
	if want.Known = run.TotalUsage().Known; run.TotalUsage() != want {
		t.Errorf("usage %+v, want %+v", run.TotalUsage(), want)
	}
	if r := run.Records; r.Messages != 9 {
		t.Errorf("records %+v: an item of two branches counts once", r)
	}
}

func FuzzItems(f *testing.F) {
	f.Add(`{"role":"user","content":"x"}`, `{"type":"function_call","call_id":"c","name":"n","arguments":"{}"}`, `{"type":"function_call_output","call_id":"c","output":"y"}`)
	f.Add(`{"type":"reasoning","summary":[]}`, `{"type":"compaction","encrypted_content":"x"}`, `{"__enc__":1}`)
	f.Add(`{"role":"assistant","content":[{"type":"output_text","text":"z"}]}`, `{"type":"item_reference","id":"a"}`, `{`)
	f.Fuzz(func(t *testing.T, a, b, c string) {
		l := &loader{Builder: rows.NewBuilder(&source.File{Path: "test"}, "openaiagents", source.Entry{ID: "s"}), counted: map[int64]bool{}}
		for i, data := range []string{a, b, c, a} {
			l.item(item{id: int64(i), data: []byte(data), ref: l.JSON([]byte("{}"), "row")})
		}
		l.threads("s", []branch{{name: "main", ids: []int64{0, 1}}, {name: "other", ids: []int64{0, 3}}})
		rowstest.Check(t, l.Finish())
	})
}
