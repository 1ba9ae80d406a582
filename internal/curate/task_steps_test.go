package curate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"agentlens/internal/curate/task"
	"agentlens/internal/curate/tokens"
	"agentlens/internal/model"
)

// stepped is a conversation in which stretches of messages belong to steps, some
// of them summarised in the record.
func stepped(seed uint64, n int) (*model.Run, *model.Thread) {
	run, thread := conversation(seed, n)
	rnd := rand.New(rand.NewPCG(seed, 11))
	name := ""
	for i := range thread.Len() {
		if i == 0 || rnd.IntN(8) == 0 {
			if name != "" && rnd.IntN(3) == 0 {
				thread.Markers = append(thread.Markers, model.Marker{Kind: model.StepSummarised, After: i - 1})
			}
			if name = fmt.Sprintf("part %d", i); rnd.IntN(6) == 0 {
				name = ""
			}
		}
		thread.At(i).Step = name
	}
	return run, thread
}

var taskChains = []string{
	"task_steps(auto=0)", "task_steps(auto=500 tok)", `task_steps(["*:title"], auto=0)`, `task_steps(["*:condensed"], auto=0, max_turns=2)`,
	`task_steps(["*:full", "2:summary"], auto=300 tok)`, `task_steps(["1:condensed", "3:title"], auto=400 tok, role=user)`, "task_steps(auto=1 tok, max_turns=1)",
}

// plainSteps is the plain form of task_steps: the whole list at each call, with
// the levels of the call before.
type plainSteps struct {
	thread *model.Thread
	task   *task.Task
	of     []int
	level  []task.Level
	named  []bool
	held   []bool
	old    int
	last   int
	auto   int64
	most   int
	role   model.Role
	sizes  *Sizes
}

func newPlain(t *testing.T, run *model.Run, thread *model.Thread, sizes *Sizes, call StageCall) *plainSteps {
	t.Helper()
	history, ranges, _, err := task.Of(run, thread)
	if err != nil {
		t.Fatal(err)
	}
	p := &plainSteps{thread: thread, task: history, sizes: sizes, last: -1}
	a := &args{stage: call}
	p.auto, p.most = a.number("auto"), int(a.number("max_turns"))
	p.role, _ = model.ParseRole(a.word("role"))
	for range history.Steps {
		p.level, p.named, p.held = append(p.level, task.Full), append(p.named, false), append(p.held, false)
	}
	for i := range thread.Len() {
		at := i
		if g := thread.At(i).Group; g >= 0 && len(thread.At(int(g)).Calls) > 0 {
			at = int(g)
		}
		k := -1
		for s, r := range ranges {
			if at >= r.From && at < r.To && thread.At(i).Role != model.System {
				k = s
			}
		}
		p.of = append(p.of, k)
	}
	for _, entry := range a.list("levels") {
		id, level, _ := strings.Cut(entry, ":")
		for k, s := range history.Steps {
			if id == fmt.Sprint(s.ID) {
				p.level[k], p.named[k], p.held[k] = task.Level(level), true, true
			} else if id == "*" && !p.held[k] {
				p.level[k], p.named[k] = task.Level(level), true
			}
		}
	}
	return p
}

// view is the view of a call as "index/role/tokens".
func (p *plainSteps) view(given int) []string {
	for _, m := range p.thread.Markers {
		if k := p.of[m.After]; m.After < given && k >= 0 && !p.named[k] {
			p.level[k] = task.Summary
		}
	}
	for i := range given {
		p.last = max(p.last, p.of[i])
	}
	list, size := p.list(given)
	for p.auto > 0 && size > p.auto && p.old < p.last {
		if k := p.old; !p.held[k] && p.level[k] == task.Full {
			p.level[k] = task.Summary
			if smaller, now := p.list(given); now < size {
				list, size = smaller, now
			} else {
				p.level[k] = task.Full
			}
		}
		p.old++
	}
	return list
}

func (p *plainSteps) list(given int) (list []string, size int64) {
	add := func(i int, role model.Role, tokens int32) {
		list, size = append(list, fmt.Sprintf("%d/%s/%d", i, role, tokens)), size+int64(tokens)
	}
	first := map[int]bool{}
	for i := range given {
		k := p.of[i]
		switch {
		case k < 0 || p.level[k] == task.Full || p.level[k] == task.Condensed && p.key(k, given)[i]:
			add(i, p.thread.At(i).Role, p.sizes.Tokens[i])
		case p.level[k] != task.Condensed && !first[k]:
			shown := p.task.Steps[k]
			if shown.Level = p.level[k]; shown.Level == task.Summary && shown.Summary == "" {
				shown.Summary = task.Step{Turns: p.turns(k, given)}.Extractive(p.most)
			}
			add(-1, p.role, Overhead+int32(len(shown.Render())+3)/4)
		}
		if k >= 0 {
			first[k] = true
		}
	}
	return list, size
}

func (p *plainSteps) turns(k, given int) []task.Turn {
	var list []task.Turn
	for i := range given {
		if p.of[i] == k {
			m := p.thread.At(i)
			list = append(list, task.Turn{ID: int64(i), Role: m.Role.String(), Tool: m.ToolName})
		}
	}
	return list
}

func (p *plainSteps) key(k, given int) map[int]bool {
	key := map[int]bool{}
	for _, turn := range (task.Step{Turns: p.turns(k, given)}).Key(p.most) {
		key[int(turn.ID)] = true
		for _, m := range p.thread.Members(int(turn.ID)) {
			key[int(m)] = true
		}
	}
	return key
}

// TestTaskStepsIsPlain holds every view of the engine against the plain form.
func TestTaskStepsIsPlain(t *testing.T) {
	for c, text := range taskChains {
		chain, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(20) {
			run, thread := stepped(seed*100+uint64(c), 90)
			sizes, err := Measure(context.Background(), run, thread, tokens.Estimate{})
			if err != nil {
				t.Fatal(err)
			}
			r, err := Replay(context.Background(), Input{Run: run, Thread: thread, Sizes: sizes}, chain)
			if err != nil {
				t.Fatal(err)
			}
			plain := newPlain(t, run, thread, sizes, chain[0])
			for call := 1; call <= r.Calls()+1; call++ {
				given := thread.Len()
				if call <= r.Calls() {
					given = thread.Calls[call-1].Given
				}
				var have []string
				for _, e := range r.View(call).Entries {
					if e.Fate != model.WasDropped {
						have = append(have, fmt.Sprintf("%d/%s/%d", e.Index, e.Role, e.Tokens))
					}
				}
				if want := plain.view(given); strings.Join(have, " ") != strings.Join(want, " ") {
					t.Fatalf("%s, seed %d, call %d:\n got %s\nwant %s", text, seed, call, strings.Join(have, " "), strings.Join(want, " "))
				}
			}
		}
	}
}

// TestTaskStepsProperties holds what every view promises: pairs whole, every drop
// and addition explained, the same again when run again.
func TestTaskStepsProperties(t *testing.T) {
	for c, text := range append(taskChains, "preserve(4) | task_steps(auto=300 tok)", `truncate_turns(9) | task_steps(["*:summary"])`, `task_steps(["*:condensed"]) | sliding_window(5)`) {
		chain, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(8) {
			run, thread := stepped(seed*10+uint64(c), 70)
			sizes, err := Measure(context.Background(), run, thread, tokens.Estimate{})
			if err != nil {
				t.Fatal(err)
			}
			in := Input{Run: run, Thread: thread, Sizes: sizes, Texts: true, Window: 8000}
			r, err := Replay(context.Background(), in, chain)
			if err != nil {
				t.Fatal(err)
			}
			again, err := Replay(context.Background(), in, chain)
			if err != nil {
				t.Fatal(err)
			}
			for call := 1; call <= r.Calls()+1; call++ {
				v := r.View(call)
				name := fmt.Sprintf("%s, seed %d, call %d", text, seed, call)
				pairsHold(t, name, thread, v)
				explained(t, name, run, thread, v, true)
				if !reflect.DeepEqual(v, again.View(call)) {
					t.Fatalf("%s: another run gives another view", name)
				}
			}
		}
	}
}

// TestTaskStepsRefuses holds the errors of levels.
func TestTaskStepsRefuses(t *testing.T) {
	run, thread := stepped(1, 40)
	for text, want := range map[string]string{
		`task_steps([full])`: "a level is written", `task_steps(["1:none"])`: "a level is written", `task_steps(["x:full"])`: "is a number, or *", `task_steps(["99:full"])`: "there is no step 99; there is 1",
		`task_steps(["1:full=x"])`: "a level is written", `task_steps(["1:summary= "])`: "must not be empty", `task_steps(["1:summary=` + strings.Repeat("x", 1001) + `"])`: "1001 characters",
	} {
		chain, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Replay(context.Background(), Input{Run: run, Thread: thread, Sizes: Guess(thread)}, chain); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
