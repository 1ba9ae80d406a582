package evidence

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"agentlens/internal/curate/engine"
	"agentlens/internal/curate/tokens"
	"agentlens/internal/model"
	"agentlens/internal/trace/ground/source"
)

// without is a stage that drops one message at one call.
type without struct{ message, call int }

func (s without) Step(f *engine.Facts, in, out *engine.Layer) {
	engine.PassAll(in, out)
	if f.Number == s.call {
		for k := in.First(); k >= 0; k = in.Next(k) {
			if f.Contents.Place(k) == s.message {
				out.Drop(k, 0)
			}
		}
	}
}

// reported returns the figures that report the message Source of a case at the message Reply,
// if the view of that reply lacks it.
func (c *lossCase) reported(t *testing.T) []Figure {
	t.Helper()
	run, thread := c.run(t)
	sizes, err := engine.Measure(context.Background(), run, thread, tokens.Estimate{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := Find(context.Background(), run, thread, nil)
	if err != nil {
		t.Fatal(err)
	}
	call := int(thread.At(c.Reply).Call)
	parts := []engine.Part{{Stage: without{c.Source, call}, Name: "without"}}
	r, err := engine.Replay(context.Background(), engine.Input{Run: run, Thread: thread, Sizes: sizes, Texts: true}, nil, parts)
	if err != nil {
		t.Fatal(err)
	}
	var figures []Figure
	for _, p := range Audit(r, e).Pairs {
		if p.Message == c.Source && p.Reply == c.Reply {
			figures = append(figures, p.Figure)
			if c.ID%2 == 1 {
				t.Logf("case %d (%s): %s %q", c.ID, c.Kind, p.Figure, p.Words)
			}
		}
	}
	return figures
}

// run returns the conversation of a case. Every assistant message is the reply of a call.
func (c *lossCase) run(t *testing.T) (*model.Run, *model.Thread) {
	t.Helper()
	arena, b := &source.Arena{}, model.NewThread("t", "main")
	for _, said := range c.Messages {
		m := model.Message{CallID: said.ToolCallID}
		m.Role, _ = model.ParseRole(said.Role)
		if said.Text != "" {
			m.Parts = []model.Part{{Kind: model.Text, Body: arena.Add(said.Text, "case")}}
		}
		for _, call := range said.ToolCalls {
			m.Calls = append(m.Calls, model.ToolCall{ID: call.ID, Name: call.Name, Args: arena.Add(string(call.Arguments), "case")})
		}
		if i := b.Add(m); m.Role == model.Assistant {
			b.Reply(i, model.Call{})
		}
	}
	return &model.Run{ID: "r", Bodies: arena}, b.Build()
}

// A rate counts the reports of the detector on cases.
type rate struct{ right, reported, used int }

func (r rate) precision() float64 { return float64(r.right) / float64(max(1, r.reported)) }
func (r rate) recall() float64    { return float64(r.right) / float64(max(1, r.used)) }

func (r rate) String() string {
	return fmt.Sprintf("precision %.2f (%d of %d), recall %.2f (%d of %d)", r.precision(), r.right, r.reported, r.recall(), r.right, r.used)
}

// TestCases measures the detector. The even cases judge it; only the odd ones are shown.
func TestCases(t *testing.T) {
	var rates [2]map[Figure]*rate
	all := Figure("overall")
	for i := range rates {
		rates[i] = map[Figure]*rate{all: {}, Needed: {}, Instructions: {}, Repeated: {}}
	}
	for _, c := range loadCases(t) {
		t.Run(fmt.Sprint(c.ID), func(t *testing.T) {
			half := rates[c.ID%2]
			figures := c.reported(t)
			hit := slices.Contains(figures, Figure(c.Expect))
			if len(figures) > 0 {
				half[all].reported++
			}
			if c.Used {
				half[all].used++
				half[Figure(c.Expect)].used++
			}
			if hit {
				half[all].right++
				half[Figure(c.Expect)].right++
			}
			for _, f := range figures {
				half[f].reported++
			}
			if c.ID%2 == 1 && (c.Used && !hit || !c.Used && len(figures) > 0) {
				t.Logf("case %d (%s): reported %q, want %q", c.ID, c.Kind, figures, c.Expect)
			}
		})
	}
	for i, name := range []string{"even", "odd"} {
		for _, f := range []Figure{all, Needed, Instructions, Repeated} {
			fmt.Printf("loss, %s cases, %s: %v\n", name, f, rates[i][f])
		}
	}
	if r := rates[0][all]; r.precision() < 0.85 || r.recall() < 0.6 {
		t.Errorf("even cases: %v, want at least 0.85 and 0.6", r)
	}
}
