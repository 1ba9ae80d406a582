package wink

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/source"
)

// TestSeries checks that the threads of a series are those of single loads, whatever a snapshot changes.
func TestSeries(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 1))
	for round := range 30 {
		file, history := "", []string{}
		const snapshots = 12
		for n := range snapshots {
			history = changed(rnd, history, n)
			file += stateOf(n, history)
		}
		f, err := source.FromReader("x.jsonl", strings.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		r, err := open(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		series := &source.Series{}
		for n := 1; n <= snapshots; n++ {
			id := fmt.Sprintf("r@%d", n)
			var got [2]string
			for i, opt := range []source.Options{{}, {Series: series}} {
				run, err := r.Load(t.Context(), id, opt)
				if err != nil {
					t.Fatal(err)
				}
				got[i] = threadsText(t, run)
			}
			if got[0] != got[1] {
				t.Fatalf("round %d, %s alone:\n%s\nin a series:\n%s", round, id, got[0], got[1])
			}
		}
	}
}

// changed returns a history with one more item, and perhaps others changed, inserted or removed.
func changed(rnd *rand.Rand, history []string, n int) []string {
	history = slices.Clone(history)
	item := func() string {
		id := rnd.IntN(20)
		if rnd.IntN(2) == 0 {
			return fmt.Sprintf(`{"role":"tool","content":"result %d","evaluation_id":"e","sequence":%d,"message_id":"m%d","tool_call_id":"c%d","tool_name":"read"}`, rnd.IntN(9), id, id, rnd.IntN(6))
		}
		return fmt.Sprintf(`{"role":"assistant","content":"text %d","evaluation_id":"e","sequence":%d,"message_id":"m%d","tool_calls":[{"id":"c%d","name":"read","arguments":{"n":%d}}]}`, rnd.IntN(9), id, id, rnd.IntN(6), rnd.IntN(3))
	}
	if len(history) > 2 {
		at := rnd.IntN(len(history))
		switch rnd.IntN(4) {
		case 0:
			history[at] = item()
		case 1:
			history = slices.Insert(history, at, item())
		case 2:
			history = slices.Delete(history, at, at+1)
		}
	}
	return append(history, item())
}

// stateOf returns snapshot n with messages, and with an event that ends a call.
func stateOf(n int, items []string) string {
	event := fmt.Sprintf(`{"prompt_name":"p","adapter":"a","name":"read","params":{},"result":{"success":false},"call_id":"c%d"}`, n%6)
	return fmt.Sprintf(`{"version":"1","created_at":"2026-01-02T03:04:%02dZ","tags":{"session_id":"r"},"slices":[{"slice_type":"a:InnerMessage","items":[%s]},{"slice_type":"a:ToolInvoked","items":[%s]}]}`+"\n",
		n, strings.Join(items, ","), event)
}

// threadsText describes the threads of a run.
func threadsText(t *testing.T, run *model.Run) string {
	t.Helper()
	var b strings.Builder
	for _, th := range run.Threads {
		fmt.Fprintf(&b, "%s %s %s, %d calls, %v\n", th.ID, th.Kind, th.Title, len(th.Calls), th.Markers)
		for i := range th.Len() {
			m := th.At(i)
			text, err := run.Text(m)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%s %s %q %s group %d call %d", m.Role, m.ID, text, m.CallID, th.Group(i), m.Call)
			if seq, ok := m.Sequence().Get(); ok {
				fmt.Fprintf(&b, " sequence %d", seq)
			}
			for _, c := range m.Calls {
				args, err := run.Body(c.Args)
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(&b, ", call %s %s %s %v %v %v", c.ID, c.Name, args, c.Failed, c.Ended, c.Result)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}
