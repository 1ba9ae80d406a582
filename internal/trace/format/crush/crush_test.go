package crush

import (
	"flag"
	"testing"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/rows"
	"agentlens/internal/trace/ground/rows/rowstest"
	"agentlens/internal/trace/ground/source"
)

var _ = flag.Bool("update", false, "rewrite the golden files")

const own = "../../../../testdata/crush"

func TestGolden(t *testing.T)    { rowstest.Golden(t, Format(), own) }
func TestUntouched(t *testing.T) { rowstest.Untouched(t, Format(), own+"/story.sql") }
func TestSniff(t *testing.T)     { rowstest.Claims(t, Format(), rowstest.In("crush")) }

func TestViews(t *testing.T) {
	run := rowstest.LoadFile(t, Format(), own+"/story.sql")[0]
	th := run.Threads[0]
	if run.ID != "s1" || len(run.Threads) != 2 || run.Threads[1].ParentID != "s1" {
		t.Fatalf("run %s of %d threads", run.ID, len(run.Threads))
	}
	if u := run.TotalUsage(); u.Known != model.UsageCost || u.CostUSD != 0.375 {
		t.Errorf("usage %+v: want only the cost of the parent session", u)
	}
	for i, want := range []int{5, 7} {
		if e := th.Edits[i]; e.Kind != model.Restart || e.After != want || e.From != want || len(th.Edits) != 2 {
			t.Errorf("edit %d: %+v", i, e)
		}
	}
	if at, _ := run.Threads[1].At(0).At.At(); at.Year() != 2023 || th.At(0).At == 0 {
		t.Errorf("times in seconds and milliseconds: %v", at)
	}
}

func FuzzMessage(f *testing.F) {
	for _, seed := range []string{`[]`, `[{"type":"text","data":{"text":"x","hidden":true}}]`, `[{"type":"tool_result","data":{"tool_call_id":"c","content":"y"}},{"type":"finish","data":{"reason":"error","message":"m"}}]`, `[{"type":"tool_call","data":{"id":"c","input":"{}"}}]`, `{`} {
		f.Add("assistant", seed, true)
		f.Add("tool", seed, false)
	}
	f.Fuzz(func(t *testing.T, role, parts string, summary bool) {
		d := rows.NewBuilder(&source.File{Path: "test"}, "crush", source.Entry{ID: "s"})
		c := &conversation{Builder: d, b: model.NewThread("s", "main")}
		for _, id := range []string{"a", "b"} {
			c.message(record{id: id, role: role, parts: []byte(parts), summary: summary, ref: d.JSON([]byte("{}"), "row")})
		}
		d.Run.Threads = append(d.Run.Threads, c.b.Build())
		rowstest.Check(t, d.Finish())
	})
}
