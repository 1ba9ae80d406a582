package task

import (
	"testing"

	"agentlens/internal/model"
)

// The latest answer before a call counts; missing details are computed from its tokens.
func TestRecordedPressure(t *testing.T) {
	b := model.NewThread("t", "main")
	for range 4 {
		b.Add(model.Message{Role: model.Assistant})
	}
	for given := 1; given < 4; given++ {
		b.Call(model.Call{Given: given})
	}
	th := b.Build()
	mark := func(after int, details ...model.Detail) {
		th.Markers = append(th.Markers, model.Marker{Kind: model.Pressure, After: after, Detail: details})
	}
	mark(0, model.Detail{Key: "used_tokens", Value: int64(72)}, model.Detail{Key: "max_tokens", Value: int64(100)}, model.Detail{Key: "utilization", Value: 0.72}, model.Detail{Key: "recommendation", Value: "ok"})
	mark(1)
	mark(2, model.Detail{Key: "used_tokens", Value: int64(90)}, model.Detail{Key: "max_tokens", Value: int64(100)})
	mark(3, model.Detail{Key: "used_tokens", Value: int64(-1)}, model.Detail{Key: "max_tokens", Value: int64(100)})
	for call, want := range map[int]Pressure{
		1: {72, 100, 0.72, "ok"}, 2: {72, 100, 0.72, "ok"}, 3: {90, 100, 0.9, "urgent"}, 4: {90, 100, 0.9, "urgent"},
	} {
		if got, ok := RecordedPressure(th, call); !ok || got != want {
			t.Errorf("call %d: %v, want %v", call, got, want)
		}
	}
	if _, ok := RecordedPressure(&model.Thread{}, 1); ok {
		t.Error("pressure without a record")
	}
}
