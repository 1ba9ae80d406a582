package timeline_test

import (
	"context"
	"strings"
	"testing"

	"agentlens/internal/model"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/kit/kittest"
	"agentlens/internal/ui/screens/timeline"
	"agentlens/internal/ui/uitest"
	"agentlens/internal/ui/view"
)

// opened returns the timeline of the fixture at its last call.
func opened(t *testing.T, h *kittest.Host) (*timeline.Timeline, timeline.State) {
	t.Helper()
	run := uitest.Run()
	state := timeline.State{Thread: run.MainThread(), Call: 13, Width: 120}
	f := view.Query{Run: run, Thread: state.Thread, Call: state.Call, Gate: h.Gate()}.Form(context.Background())
	if f.Err != nil {
		t.Fatal(f.Err)
	}
	tl := timeline.New(kit.NewTheme(false, kit.NoColour))
	tl.Show(state)
	tl.Update(h, f.Replays.Recorded, state.Thread)
	return tl, state
}

func TestKeysAskForCalls(t *testing.T) {
	h := kittest.New(t)
	tl, _ := opened(t, h)
	keys := tl.Keys(h)
	for _, k := range []string{"left", "home", "M", "x", "%", "enter"} {
		if a := keys.Find(k); a.Why() == "" {
			a.Run()
		}
	}
	want := []int{12, 1, 5}
	for i, n := range want {
		if h.Intents[i] != (kit.GoCall{N: n}) {
			t.Errorf("intent %d is %v, want call %d", i, h.Intents[i], n)
		}
	}
	if next, ok := h.Intents[3].(timeline.NextCall); !ok || next.By != 1 || !next.Is(2) || next.Is(3) {
		t.Errorf("x asks for %v", h.Intents[3])
	}
	if _, ok := h.Intents[4].(timeline.Half); !ok || len(h.Intents) != 5 {
		t.Errorf("%% and enter ask for %v", h.Intents[4:])
	}
}

func TestKeysWaitForData(t *testing.T) {
	h := kittest.New(t)
	keys := timeline.New(nil).Keys(h)
	if why := keys.Find("right").Why(); why == "" {
		t.Error("a key works before there is data")
	}
}

func TestLines(t *testing.T) {
	h := kittest.New(t)
	tl, state := opened(t, h)
	if n := tl.Wants(43); n != 0 {
		t.Errorf("the timeline wants %d lines of a low screen", n)
	}
	n := tl.Wants(44)
	screen := func() string {
		var lines []string
		for y := range n {
			lines = append(lines, uitest.Plain(tl.Line(y)))
		}
		return strings.Join(lines, "\n")
	}
	for _, want := range []string{" timeline · sent at each call", "largest ~6.1k at call 5", "▲", "✗ error"} {
		if !strings.Contains(screen(), want) {
			t.Errorf("no %q in\n%s", want, screen())
		}
	}
	tl.Walk()
	state.Call = 2
	tl.Show(state)
	if want := "▎timeline · sent at call 2"; !strings.Contains(screen(), want) {
		t.Errorf("no %q in\n%s", want, screen())
	}
}

// Changes of the context that the record does not explain have signs and are reached by keys.
func TestUnrecordedChanges(t *testing.T) {
	h := kittest.New(t)
	run := uitest.Run()
	thread := run.MainThread()
	thread.Markers = append([]model.Marker{{Kind: model.BeginsMidway, After: model.ThreadStart}}, thread.Markers...)
	thread.Markers = append(thread.Markers, model.Marker{Kind: model.UnrecordedEdit, After: 22}, model.Marker{Kind: model.ContextCleared, After: 28})
	state := timeline.State{Thread: thread, Call: 2, Width: 120}
	f := view.Query{Run: run, Thread: thread, Call: state.Call, Gate: h.Gate()}.Form(context.Background())
	tl := timeline.New(kit.NewTheme(false, kit.NoColour))
	tl.Show(state)
	tl.Update(h, f.Replays.Recorded, thread)
	for line, want := range map[int]string{5: "▽", 6: "▽ prompt shrank, not recorded why  … begins mid-way"} {
		if got := uitest.Plain(tl.Line(line)); !strings.Contains(got, want) {
			t.Errorf("line %d is %q, without %q", line, got, want)
		}
	}
	keys := tl.Keys(h)
	keys.Find(">").Run()
	next, ok := h.Intents[len(h.Intents)-1].(timeline.NextCall)
	for call, want := range map[int]bool{1: true, 2: false, 6: true, 9: true, 11: true, 12: false} {
		if !ok || next.Is(call) != want {
			t.Errorf("> reaches call %d: %v, want %v", call, !want, want)
		}
	}
}

func TestCallAt(t *testing.T) {
	h := kittest.New(t)
	tl, _ := opened(t, h)
	for x, want := range map[int]int{0: 0, 1: 1, 3: 1, 4: 2, 119: 0} {
		if call, ok := tl.CallAt(x); call != want || ok != (want > 0) {
			t.Errorf("cell %d is call %d, %v; want %d", x, call, ok, want)
		}
	}
}
