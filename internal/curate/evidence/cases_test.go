package evidence

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"testing"
)

// lossCase is a short conversation in which a view might drop the message
// Source, and the judgment whether the message Reply needed it. Odd ids are
// for building a detector, even ids for judging it.
type lossCase struct {
	ID   int    `json:"id"` // from 1, without gaps
	Kind string `json:"kind"`
	Used bool   `json:"used"` // Reply needs what only Source contains

	// Expect names the figure that reports the loss: "needed",
	// "instructions", or "repeated". It is empty if Used is false.
	Expect string `json:"expect"`
	Note   string `json:"note"` // why Used is what it is, one sentence

	Source   int           `json:"source"` // index into Messages, from 0
	Reply    int           `json:"reply"`  // index into Messages, from 0
	Messages []caseMessage `json:"messages"`
}

// caseMessage is one message of a lossCase.
type caseMessage struct {
	Role       string     `json:"role"`
	Text       string     `json:"text"`
	ToolCalls  []caseCall `json:"tool_calls"`
	ToolCallID string     `json:"tool_call_id"` // set on results only
}

// caseCall is a tool call of a caseMessage. Arguments is a JSON object.
type caseCall struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// loadCases reads testdata/cases.jsonl, in the order of the file.
func loadCases(t testing.TB) []lossCase {
	t.Helper()
	data, err := os.ReadFile("testdata/cases.jsonl")
	if err != nil {
		t.Fatal(err)
	}

	var cases []lossCase
	for i, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		var c lossCase
		decoder := json.NewDecoder(bytes.NewReader(line))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&c); err != nil {
			t.Fatalf("testdata/cases.jsonl:%d: %v", i+1, err)
		}
		cases = append(cases, c)
	}
	return cases
}

func TestCasesHaveValidShape(t *testing.T) {
	cases := loadCases(t)
	if len(cases) < 80 {
		t.Errorf("%d cases, want at least 80", len(cases))
	}
	for i, c := range cases {
		if c.ID != i+1 {
			t.Errorf("case on line %d has id %d, want ids without gaps", i+1, c.ID)
		}
		if c.Kind == "" || c.Note == "" {
			t.Errorf("case %d has no kind or no note", c.ID)
		}
		checkLabel(t, c)
		checkIndexes(t, c)
		checkCalls(t, c)
	}
}

func TestCasesSplitIntoEqualHalves(t *testing.T) {
	labels := map[bool]string{true: "used", false: "not used"}
	var count [2]map[bool]int
	kinds := map[string]int{}
	for i := range count {
		count[i] = map[bool]int{}
	}
	for _, c := range loadCases(t) {
		count[c.ID%2][c.Used]++
		kinds[c.Kind] += 2*(c.ID%2) - 1
	}

	for used, label := range labels {
		even, odd := count[0][used], count[1][used]
		if diff := max(even, odd) - min(even, odd); 10*diff > max(even, odd) {
			t.Errorf("%s: %d even, %d odd cases, want at most 10%% difference", label, even, odd)
		}
	}
	for kind, diff := range kinds {
		if diff < -1 || diff > 1 {
			t.Errorf("kind %s: odd minus even cases = %d, want at most 1 either way", kind, diff)
		}
	}
}

func checkLabel(t *testing.T, c lossCase) {
	t.Helper()
	figures := []string{"needed", "instructions", "repeated"}
	if c.Used != slices.Contains(figures, c.Expect) || !c.Used && c.Expect != "" {
		t.Errorf("case %d: used = %t does not agree with expect = %q", c.ID, c.Used, c.Expect)
	}
}

// checkIndexes checks that Reply is an assistant message after Source, and
// that instructions come from a person.
func checkIndexes(t *testing.T, c lossCase) {
	t.Helper()
	if c.Source < 0 || c.Source >= c.Reply || c.Reply >= len(c.Messages) {
		t.Fatalf("case %d: source %d, reply %d of %d messages", c.ID, c.Source, c.Reply, len(c.Messages))
	}
	if role := c.Messages[c.Reply].Role; role != "assistant" {
		t.Errorf("case %d: reply has role %q, want assistant", c.ID, role)
	}
	if role := c.Messages[c.Source].Role; c.Expect == "instructions" && role != "user" {
		t.Errorf("case %d: instruction has role %q, want user", c.ID, role)
	}
}

// checkCalls checks that call ids are unique and that every result belongs to
// an earlier call, at most one result to each.
func checkCalls(t *testing.T, c lossCase) {
	t.Helper()
	seen, pending := map[string]bool{}, map[string]bool{}
	roles := []string{"system", "user", "assistant", "tool"}
	for i, m := range c.Messages {
		if !slices.Contains(roles, m.Role) {
			t.Errorf("case %d, message %d: unknown role %q", c.ID, i, m.Role)
		}
		if (m.Role == "tool") != (m.ToolCallID != "") || m.Role == "tool" && !pending[m.ToolCallID] {
			t.Errorf("case %d, message %d: role %s with result of %q", c.ID, i, m.Role, m.ToolCallID)
		}
		delete(pending, m.ToolCallID)
		if len(m.ToolCalls) > 0 && m.Role != "assistant" {
			t.Errorf("case %d, message %d: role %s calls a tool", c.ID, i, m.Role)
		}
		for _, call := range m.ToolCalls {
			var arguments map[string]any
			if err := json.Unmarshal(call.Arguments, &arguments); err != nil || call.Name == "" || seen[call.ID] {
				t.Errorf("case %d, message %d: call %q is not valid: %v", c.ID, i, call.ID, err)
			}
			seen[call.ID], pending[call.ID] = true, true
		}
	}
}
