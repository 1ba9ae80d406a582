package spectest

import (
	"slices"
	"strings"
	"testing"

	"agentlens/internal/curate/conform"
	"agentlens/internal/model"
)

// snapshot is "Snapshot Serialization" with the messages of "Sequence Numbering".
const snapshot = `{
  "slices": [
    {
      "slice_type": "weakincentives.runtime.inner_messages:InnerMessage",
      "item_type": "weakincentives.runtime.inner_messages:InnerMessage",
      "items": [
        {"role":"system","sequence":0,"turn":0,"content":"System prompt","evaluation_id":"e","message_id":"m0","created_at":"2026-01-01T00:00:00Z"},
        {"role":"assistant","sequence":1,"turn":1,"content":"","evaluation_id":"e","message_id":"m1","created_at":"2026-01-01T00:00:01Z",
         "tool_calls":[{"call_id":"c1","name":"search","arguments":"{}","status":"completed"},{"call_id":"c2","name":"search","arguments":"{}","status":"STATUS"}]},
        {"role":"tool","sequence":2,"turn":1,"content":"Result 1","tool_call_id":"c1","tool_name":"search","evaluation_id":"e","message_id":"m2","created_at":"2026-01-01T00:00:02Z"}REST
      ]
    }
  ]
}`

const rest = `,
        {"role":"tool","sequence":3,"turn":1,"content":"Result 2","tool_call_id":"c2","tool_name":"search","evaluation_id":"e","message_id":"m3","created_at":"2026-01-01T00:00:03Z"},
        {"role":"assistant","sequence":4,"turn":2,"content":"Final response","evaluation_id":"e","message_id":"m4","created_at":"2026-01-01T00:00:04Z"}`

func complete() string {
	return strings.NewReplacer("STATUS", "completed", "REST", rest).Replace(snapshot)
}

// TestSequenceDiagram runs "Sequence Numbering": five messages with the sequences 0 to 4 and the
// turns 0, 1, 1, 1, 2.
func TestSequenceDiagram(t *testing.T) {
	run := open(t, complete())
	thread := run.MainThread()
	if thread.Len() != 5 || thread.ID != "e" {
		t.Fatalf("%d messages of evaluation %s", thread.Len(), thread.ID)
	}
	for i, want := range []struct {
		role model.Role
		turn int
	}{{model.System, 0}, {model.Assistant, 1}, {model.Tool, 1}, {model.Tool, 1}, {model.Assistant, 2}} {
		if m := thread.At(i); m.Role != want.role || !m.Sequence().Is(i) || !m.Turn().Is(want.turn) {
			t.Errorf("message %d: %s, sequence %d, turn %d", i, m.Role, m.Sequence().Or(-1), m.Turn().Or(-1))
		}
	}
	if calls := thread.At(1).Calls; !calls[0].Result.Is(2) || !calls[1].Result.Is(3) || len(thread.Pending()) != 0 {
		t.Errorf("the calls are %+v", calls)
	}
	if rules := failed(t, run, conform.InnerMessages); rules != nil {
		t.Errorf("rules %v fail", rules)
	}
}

// TestCrashAfterTheFirstTool runs "Partial Execution Recovery": the first result is in the
// session, and only the second call is pending.
func TestCrashAfterTheFirstTool(t *testing.T) {
	run := open(t, strings.NewReplacer("STATUS", "pending", "REST", "").Replace(snapshot))
	if got := run.MainThread().Pending(); !slices.Equal(got, []string{"c2"}) {
		t.Errorf("pending %v, want c2", got)
	}
	if rules := failed(t, run, conform.InnerMessages); rules != nil {
		t.Errorf("rules %v fail", rules)
	}
}

// TestReducer runs inner_message_append: a message id counts once, and messages are in the order
// of their sequence, whatever the order of the items.
func TestReducer(t *testing.T) {
	run := open(t, `[
		{"role":"assistant","content":"second","sequence":1,"evaluation_id":"e","message_id":"m1"},
		{"role":"system","content":"first","sequence":0,"evaluation_id":"e","message_id":"m0"},
		{"role":"assistant","content":"again","sequence":1,"evaluation_id":"e","message_id":"m1"}]`)
	thread := run.MainThread()
	if thread.Len() != 2 || thread.At(0).Role != model.System {
		t.Fatalf("%d messages, the first of role %s", thread.Len(), thread.At(0).Role)
	}
	if text, err := run.Text(thread.At(1)); err != nil || text != "second" {
		t.Errorf("the second message is %q (%v)", text, err)
	}
}
