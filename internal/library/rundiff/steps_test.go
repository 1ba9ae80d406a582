package rundiff

import (
	"fmt"
	"strings"
	"testing"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/source"
)

// history returns a task thread with steps in a short form: "1f" is step 1 in full, "1s:x" is
// step 1 collapsed to the summary x, "1f:x" is expanded and keeps the summary.
func history(steps ...string) Side {
	arena := &source.Arena{}
	b := model.NewThread("task", "task")
	run := &model.Run{ID: "r", Bodies: arena}
	for _, s := range steps {
		short, summary, _ := strings.Cut(s, ":")
		level := map[byte]string{'f': "full", 's': "summary"}[short[1]]
		raw := fmt.Sprintf(`{"step_id":%c,"step_title":"Step","summary":%q,"visibility":%q,"turns":[]}`, short[0], summary, level)
		run.Documents = append(run.Documents, model.Document{Name: fmt.Sprintf("step %c: Step", short[0]), Kind: "step", Body: arena.Add(raw, "test")})
	}
	return Side{run, b.Build()}
}

func TestSteps(t *testing.T) {
	for _, tt := range []struct {
		before, after string
		want          string
	}{
		{"1f 2f", "1f 2f", ""},
		{"1f 2f", "1s:x 2f", "1 summarised"},
		{"1s:x 2f", "1f:x 2f", "1 expanded"},
		{"1f:x 2f", "1s:y 2f", "1 summarised again"},
		{"1s:x", "1s:y", "1 another summary"},
		{"1f", "1f 2f", "2 added"},
		{"1f 2s:x", "1f", "2 removed"},
	} {
		found, err := Steps(history(strings.Fields(tt.before)...), history(strings.Fields(tt.after)...))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range found {
			got = append(got, fmt.Sprint(c.ID, " ", c))
		}
		if strings.Join(got, ", ") != tt.want {
			t.Errorf("%s, then %s: %q, want %q", tt.before, tt.after, got, tt.want)
		}
	}
	if found, err := Steps(thread("u:a"), history("1f")); found != nil || err != nil {
		t.Errorf("a thread that is no task history: %v, %v", found, err)
	}
}
