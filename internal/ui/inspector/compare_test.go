package inspector

import (
	"context"
	"errors"
	"strings"
	"testing"

	"agentlens/internal/curate"
	"agentlens/internal/curate/models"
	"agentlens/internal/model"
)

// Three chains are compared with each other and with the record, and the user takes the best.
func TestTaskComparing(t *testing.T) {
	price := 3.0
	d := open(t, 160, 36, withDemo, func(c *Config) {
		c.Prices = func(string) models.Prices {
			return models.Prices{Input: models.Rate{price}, Output: models.Rate{5 * price}}
		}
		c.Presets = []curate.Preset{{Name: "@mine", Chain: "sliding_window(7)"}}
	})
	d.Press("(").Shows("no chain was tried yet")
	for _, chain := range []string{"sliding_window(20)", "truncate_tool_results(500)", "keep_text"} {
		d.Press("s", "ctrl+u").Type(chain).Press("enter")
	}
	d.Press("(").Shows("chain 2 of 3 tried", " strategy  truncate_tool_results(500)").Press("(", "(").Shows("the record", " strategy  as recorded")
	d.Press("(").Shows("no chain was tried before it").Press(")", ")", ")").Shows("chain 3 of 3", " strategy  keep_text").Press(")").Shows("tried last")
	d.Press("C").Shows("compare · 52 calls", "SENT", "NEEDED", "as recorded", "full history  passthrough", "now keep_text", "sliding_window(20)", "@mine  sliding_window(7)", "@claude-code", "17 chains", "~$")
	if a, b := strings.Index(d.Screen(), "keep_text"), strings.Index(d.Screen(), "sliding_window(20)"); a > b {
		t.Error("what was tried last does not come first")
	}
	// sorting by a column explains the column; the cursor stays on its row
	d.Press("right", "right").Shows("▲SENT", "SENT: tokens of all prompts, system prompt and tools included")
	if line := d.Line("▎"); !strings.Contains(line, "now keep_text") {
		t.Errorf("the cursor is on %q", line)
	}
	d.Press("y").Shows("of the table went to the clipboard")
	if table := d.r.copied.String(); !strings.Contains(table, "DROPPED") || strings.Count(table, "\n") != 18 {
		t.Errorf("copied %q", table)
	}
	d.Press("g", "enter").Lacks("compare ·").Shows(" strategy  ")
	d.Press("C")
	for i := range 3 {
		d.Resize(60+20*i, 20).Shows("SENT", "NEEDED", "CHAIN")
	}
}

// A chain that cannot be replayed shows why, and the others are still scored.
func TestCompareOfFailingChain(t *testing.T) {
	d := open(t, 200, 40, func(c *Config) {
		c.Window = func(string) (int64, []int64) { return 0, []int64{0} }
		c.Presets = []curate.Preset{{Name: "@prog", Chain: `exec("true")`}, {Name: "@share", Chain: "token_budget(50%)"}}
		c.Runner = failingRunner{t}
	})
	d.Press("C").Shows("runs a program at every call", "@share  ", "window", "@wink")
	d.Press("G").Press("g").Press("enter").Lacks("compare ·")
}

// failingRunner fails the test when it is called.
type failingRunner struct{ t *testing.T }

func (f failingRunner) Run(context.Context, string, []byte) ([]byte, error) {
	f.t.Error("a program was run")
	return nil, errors.New("no")
}

// Figures of a record that covers only some calls state the number of covered calls.
func TestCompareOfPartialRecord(t *testing.T) {
	d := open(t, 160, 36, func(c *Config) { c.Call = 2 }).Press("C").Shows("views of 8 of 13 calls")
	if line := d.Line("as recorded"); !strings.Contains(line[:20], "–") {
		t.Errorf("what is sent here is not recorded: %q", line)
	}
}

// A thread without calls has nothing to compare.
func TestCompareWithoutCalls(t *testing.T) {
	d := open(t, 120, 36, func(c *Config) {
		b := model.NewThread("t", "main")
		b.Add(model.Message{Role: model.User})
		c.Load = load(&model.Run{ID: "r", Threads: []*model.Thread{b.Build()}})
	})
	d.Press("C").Lacks("compare ·").Shows("no provider calls")
}
