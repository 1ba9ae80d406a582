package inspection

import (
	"runtime"
	"testing"

	"agentlens/internal/model"
	"agentlens/internal/ui/uitest"
)

// The evidence of a thread is found once. That of a large thread is kept only while it is used.
func TestJudge(t *testing.T) {
	run := uitest.Run()
	small, large := run.MainThread(), model.NewThread("large", "main")
	large.Add(model.Message{Role: model.User, Parts: []model.Part{{Body: model.Ref{Len: KeptBytes + 1}}}})
	j := &Judge{}
	find := func(t2 *model.Thread) any {
		e, err := j.Evidence(t.Context(), run, t2)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	if find(small) != find(small) {
		t.Error("the evidence of a small thread is found twice")
	}
	of := large.Build()
	e := find(of)
	if find(of) != e {
		t.Error("evidence in use is found twice")
	}
	runtime.KeepAlive(e)
	runtime.GC()
	if j.large[of].Value() != nil {
		t.Error("the evidence of a large thread is kept")
	}
}
