package uitest

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"agentlens/internal/model"
)

// Crashed returns a session that crashed after tool A of two parallel calls, at snapshot n of
// four: system, user, calls A and B pending, A completed.
func Crashed(n int) *model.Run {
	f := &fixture{at: time.Date(2026, 3, 14, 9, 26, 0, 0, time.UTC)}
	f.b = model.NewThread("e1", "evaluation")
	f.b.Thread().Prompt = "demo:fix"
	numbered := func(seq, turn int, calls ...string) func(*model.Message) {
		return func(m *model.Message) {
			m.Extend().Sequence, m.Extend().Turn = model.Some(seq), model.Some(turn)
			m.Origin[0] = f.arena.Add(`{"tool_calls":[`+strings.Join(calls, ",")+`]}`, "session.jsonl")
		}
	}
	status := func(id, status string) string { return fmt.Sprintf(`{"call_id":%q,"status":%q}`, id, status) }
	a := map[bool]string{true: "completed", false: "pending"}[n > 3]
	f.add(model.System, "You fix bugs.", numbered(0, 0))
	if n > 1 {
		f.add(model.User, "Fix the parser.", numbered(1, 0))
	}
	if n > 2 {
		f.sent(900)
		f.add(model.Assistant, "I read it and write the fix.", f.call("A", "read_file", `{"path":"parser.go"}`), f.call("B", "write_file", `{"path":"parser.go","text":"fixed"}`), numbered(2, 1, status("A", a), status("B", "pending")))
	}
	if n > 3 {
		f.add(model.Tool, "package parser", result("A", false), numbered(3, 1))
	}
	run := &model.Run{ID: "s1", Title: "fix", Source: "session.jsonl", Format: "wink", Status: model.StatusUnknown, Bodies: &f.arena, Threads: []*model.Thread{f.b.Build()}}
	for i := range 4 {
		run.Snapshots = append(run.Snapshots, model.Snapshot{At: model.TimeOf(time.Date(2026, 3, 14, 9, 26, 7*(i+1), 0, time.UTC)), Messages: i + 1, Shown: i+1 == n})
	}
	return run
}

// CrashedAt returns the run of an id of the form s1@n. It is the function that opens another
// snapshot.
func CrashedAt(_ context.Context, id string) (*model.Run, error) {
	n, err := strconv.Atoi(strings.TrimPrefix(id, "s1@"))
	if err != nil || n < 1 || n > 4 {
		return nil, fmt.Errorf("no snapshot %q", id)
	}
	run := Crashed(n)
	run.ID = id
	return run, nil
}
