package engine

import "testing"

// TestFireMergesCallsInARow checks that a stage that acts at every call is recorded once, and that another
// stage or another reason is recorded separately.
func TestFireMergesCallsInARow(t *testing.T) {
	r := &Replayed{parts: []Part{{Name: "a", Stateful: true}, {Name: "b", Stateful: true}}}
	for _, x := range []struct {
		call, stage int
		why         Reason
	}{{3, 0, 1}, {4, 0, 1}, {4, 1, 1}, {5, 0, 1}, {7, 0, 1}, {7, 0, 2}} {
		f := Facts{Number: x.call, stage: x.stage, replayed: r}
		f.Fire(x.why, "cleared", func() string { return "it was large" })
	}
	for call, want := range map[int][]string{
		2: nil,
		3: {"a@3 cleared: it was large"},
		4: {"a@3 cleared: it was large; again at each call until 4", "b@4 cleared: it was large"},
		9: {"a@3 cleared: it was large; again at each call until 5", "b@4 cleared: it was large", "a@7 cleared: it was large", "a@7 cleared: it was large"},
	} {
		var got []string
		for _, f := range r.firedUntil(call) {
			got = append(got, f.Stage+"@"+string(rune('0'+f.Call))+" "+f.Reason)
		}
		if len(got) != len(want) {
			t.Fatalf("call %d: %q, want %q", call, got, want)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("call %d: %q, want %q", call, got[i], want[i])
			}
		}
	}
	for _, x := range []struct {
		e    firedID
		call int32
	}{{firedID{stage: 0, why: 1, event: 4}, 3}, {firedID{stage: 0, why: 1, event: 7}, 7}, {firedID{stage: 1, why: 1, event: 4}, 4}, {firedID{stage: 0, why: 1, event: 6}, 0}, {firedID{stage: 0, why: 3, event: 4}, 0}} {
		if f := r.firingOf(x.e); (f == nil) != (x.call == 0) || f != nil && f.call != x.call {
			t.Errorf("event %+v is due to %+v, want call %d", x.e, f, x.call)
		}
	}
}
