package spectest

import (
	"strings"
	"testing"

	"agentlens/internal/curate/task"
	"agentlens/internal/model"
)

// history is a TaskHistory of the "Usage Example", as slice_to_json writes it.
const history = `{"objective":"Refactor auth module","active_step_id":3,"steps":[
 {"step_id":1,"step_title":"Read the code","summary":"Two bugs in auth.py.","visibility":"summary","turns":[
  {"turn_id":1,"role":"user","content":"Start.","tool_name":null},{"turn_id":2,"role":"tool","content":"def login(): ...","tool_name":"read"},{"turn_id":3,"role":"assistant","content":"I see two bugs.","tool_name":null}]},
 {"step_id":2,"step_title":"Fix bug A","summary":null,"visibility":"full","turns":[{"turn_id":4,"role":"assistant","content":"Fixed.","tool_name":null}]},
 {"step_id":3,"step_title":"Fix bug B","summary":null,"visibility":"full","turns":[]}]}`

const rendered = `Task: Refactor auth module

Step 1: Read the code
[Summary] Two bugs in auth.py.
[Call ` + "`expand_step`" + ` with this step_id for full history]

Step 2: Fix bug A
  [assistant] Fixed.

Step 3: Fix bug B
`

// recorded returns the task of a record.
func recorded(t *testing.T, run *model.Run) *task.Task {
	t.Helper()
	found, _, _, err := task.Of(run, run.MainThread())
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestCrossSessionHistory runs "Cross-Session History": a history stored alone renders as the one
// in a snapshot does.
func TestCrossSessionHistory(t *testing.T) {
	for name, data := range map[string]string{
		"the history":     history,
		"a list of it":    "[" + history + "]",
		"its slice":       `{"slice_type":"w:TaskHistory","item_type":"w:TaskHistory","items":[` + history + `]}`,
		"a snapshot":      `{"slices":[{"slice_type":"w:TaskHistory","item_type":"w:TaskHistory","items":[` + history + `]}]}`,
		"a list of slots": `[{"slice_type":"w:TaskHistory","item_type":"w:TaskHistory","items":[` + history + `]}]`,
	} {
		if got := recorded(t, open(t, data)).Render(); got != rendered {
			t.Errorf("%s renders as\n%q\nwant\n%q", name, got, rendered)
		}
	}
}

// TestNoHistoryRecorded runs TaskHistory.render without steps.
func TestNoHistoryRecorded(t *testing.T) {
	got := recorded(t, open(t, `[{"objective":"Refactor auth module","active_step_id":null,"steps":[]}]`)).Render()
	if want := "Task: Refactor auth module\n\n<no history recorded>"; got != want {
		t.Errorf("rendered %q, want %q", got, want)
	}
}

// TestModelManagedContext runs summarize_step and expand_step with the rules of
// summarize_step_handler: the step exists, and the summary has 1 to 1,000 characters.
func TestModelManagedContext(t *testing.T) {
	tt := recorded(t, open(t, history))
	for _, c := range []struct {
		id      int64
		summary string
		ok      bool
	}{{9, "Done.", false}, {2, " ", false}, {2, strings.Repeat("x", 1001), false}, {2, strings.Repeat("x", 1000), true}, {2, "Done.", true}} {
		if err := tt.Collapse(c.id, c.summary); (err == nil) != c.ok {
			t.Errorf("step %d, %d characters: %v", c.id, len(c.summary), err)
		}
	}
	if got := tt.Steps[1].Render(); got != "Step 2: Fix bug A\n[Summary] Done.\n[Call `expand_step` with this step_id for full history]" {
		t.Errorf("summarised: %q", got)
	}
	if err := tt.Expand(2); err != nil || tt.Steps[1].Render() != "Step 2: Fix bug A\n  [assistant] Fixed." {
		t.Errorf("expanded: %q (%v)", tt.Steps[1].Render(), err)
	}
}

// TestVisibilityResolution runs StepVisibilityResolver: an override wins over the stored
// visibility, and the stored visibility applies otherwise.
func TestVisibilityResolution(t *testing.T) {
	run := open(t, history)
	if got := len(next(t, run, "task_steps(auto=0)")); got != 2 { // the summary of step 1, the turn of step 2
		t.Errorf("%d messages as stored, want 2", got)
	}
	if got := len(next(t, run, `task_steps(["1:full"], auto=0)`)); got != 4 {
		t.Errorf("%d messages with step 1 in full, want 4", got)
	}
}
