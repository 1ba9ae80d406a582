package task

import (
	"testing"

	"agentlens/internal/trace/tracetest"
)

// TestSampleRender renders the genuine task history exactly.
func TestSampleRender(t *testing.T) {
	want := sampleRender(t)
	run := tracetest.Run(t, "../../../../shared/samples/wink/f_seed003_taskhistory.json")
	task, ranges, ok, err := Of(run, run.MainThread())
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if got := task.Render(); got != want && got+"\n" != want {
		t.Errorf("rendered\n%q\nwant\n%q", got, want)
	}
	if len(ranges) != 5 || ranges[0] != (Range{0, 4}) || ranges[3] != (Range{7, 10}) || ranges[4] != (Range{10, 10}) {
		t.Errorf("the messages of the steps: %v", ranges)
	}
	if task.Active == nil || *task.Active != 4 {
		t.Errorf("active step %v", task.Active)
	}
}
