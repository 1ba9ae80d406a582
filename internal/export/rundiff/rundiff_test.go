package rundiff

import (
	"context"
	"math/rand/v2"
	"testing"

	"agentlens/internal/model"
	"agentlens/internal/trace/source"
)

// thread makes a thread of messages, "u:hello" each, with an id behind # where it has one.
func thread(texts ...string) Side {
	var arena source.Arena
	b := model.NewThread("t", "main")
	for _, s := range texts {
		role, id := model.User, ""
		if s[0] == 'a' {
			role = model.Assistant
		}
		if n := len(s); n > 2 && s[n-2] == '#' {
			id, s = s[n-1:], s[:n-2]
		}
		b.Add(model.Message{ID: id, Role: role, Parts: []model.Part{{Kind: model.Text, Body: arena.Add(s[2:], "test")}}})
	}
	return Side{&model.Run{Bodies: &arena}, b.Build()}
}

func spell(t *testing.T, a, b Side) string {
	t.Helper()
	rows, err := Diff(context.Background(), a, b)
	if err != nil {
		t.Fatal(err)
	}
	out, i, j := "", 0, 0
	for _, r := range rows {
		if r.A >= 0 {
			if r.A != i {
				t.Fatalf("message %d of the first side is missing or out of place: %v", i, rows)
			}
			i++
		}
		if r.B >= 0 {
			if r.B != j {
				t.Fatalf("message %d of the second side is missing or out of place: %v", j, rows)
			}
			j++
		}
		out += string("=~-+"[r.Kind])
	}
	if i != a.Thread.Len() || j != b.Thread.Len() {
		t.Fatalf("%d of %d and %d of %d messages", i, a.Thread.Len(), j, b.Thread.Len())
	}
	return out
}

func TestDiff(t *testing.T) {
	for _, c := range []struct {
		a, b []string
		want string
	}{
		{nil, nil, ""},
		{[]string{"u:a", "a:b"}, []string{"u:a", "a:b"}, "=="},
		{[]string{"u:a", "a:b"}, []string{"u:a", "a:c"}, "=~"},
		{[]string{"u:a", "a:b"}, []string{"u:a"}, "=-"},
		{[]string{"u:a"}, []string{"u:a", "a:b", "u:c"}, "=++"},
		{[]string{"u:a", "a:b", "u:c"}, []string{"u:a", "u:c"}, "=-="},
		{[]string{"u:ok", "a:x", "u:ok", "a:y", "u:ok"}, []string{"u:ok", "a:y", "u:ok"}, "=--=="},
		{[]string{"u:a#1", "a:b#2"}, []string{"u:n#9", "u:a2#1", "a:b2#2"}, "+~~"},
		{[]string{"u:a"}, []string{"a:a"}, "-+"}, // a role is part of what is said
		{[]string{"u:a"}, nil, "-"},
	} {
		if got := spell(t, thread(c.a...), thread(c.b...)); got != c.want {
			t.Errorf("%v against %v is %q, want %q", c.a, c.b, got, c.want)
		}
	}
}

// Whatever the two sides are, every message stands in one row, in order; a side against
// itself is the same; and as much is found to be the same as in a table of all pairs.
func TestDiffKeepsEveryMessage(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		some := func() (list []string) {
			for range r.IntN(12) {
				list = append(list, []string{"u:", "a:"}[r.IntN(2)]+string(rune('a'+r.IntN(4))))
			}
			return list
		}
		a, b := thread(some()...), thread(some()...)
		spell(t, a, b)
		if rows, err := Diff(context.Background(), a, a); err != nil || !Equal(rows) {
			t.Fatalf("a side differs from itself: %v, %v", rows, err)
		}
		pa, _ := a.prints(context.Background())
		pb, _ := b.prints(context.Background())
		if got, most := len(matches(pa, pb)), len(longest(nil, pa, pb, 0, 0)); got > most || most > 0 && got == 0 {
			t.Fatalf("%d are the same, of %d that could be", got, most)
		}
	}
}

func TestDiffEndsWithItsContext(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Diff(ctx, thread("u:a"), thread("u:a")); err == nil {
		t.Error("it went on")
	}
}

// Long threads cost little: nothing is compared with everything.
func TestDiffOfLongThreads(t *testing.T) {
	var a, b []print
	for i := range 200_000 {
		p := print{byte(i), byte(i >> 8), byte(i >> 16)}
		if a = append(a, p); i%1000 != 7 {
			b = append(b, p)
		}
	}
	if got := len(matches(a, b)); got != len(b) {
		t.Errorf("%d of %d are the same", got, len(b))
	}
	same := make([]print, 5000) // nothing stands out
	if got := len(matches(same[:4000], same)); got != 4000 {
		t.Errorf("%d of 4000 are the same", got)
	}
}
