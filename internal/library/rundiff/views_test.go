package rundiff

import (
	"math/rand/v2"
	"testing"

	"agentlens/internal/model"
)

func entry(index int32, text string) *model.Entry {
	e := &model.Entry{Index: index}
	if text != "" {
		e.SetText([]model.Piece{{Insert: text}})
	}
	return e
}

func TestViews(t *testing.T) {
	kept := func(indices ...int32) (list []*model.Entry) {
		for _, i := range indices {
			list = append(list, entry(i, ""))
		}
		return list
	}
	cleared := append(kept(0), entry(1, "[cleared]"), entry(2, ""))
	for _, tc := range []struct {
		name string
		a, b []*model.Entry
		want string
	}{
		{"nothing", nil, nil, ""},
		{"the same", kept(0, 1, 2), kept(0, 1, 2), "==="},
		{"a history that goes on", kept(0, 1), kept(0, 1, 2, 3), "==++"},
		{"a window that slides", kept(0, 1, 2, 3), kept(0, 3, 4), "=--=+"},
		{"a message cleared", kept(0, 1, 2), cleared, "=~="},
		{"the same text cleared to", cleared, cleared, "==="},
		{"a summary in place of two", kept(0, 1, 2), append(kept(0), entry(-1, "summary")), "=--+"},
		{"another summary", append(kept(0), entry(-1, "one")), append(kept(0), entry(-1, "two")), "=-+"},
		{"a call left out", []*model.Entry{{Index: 1, Content: &model.EntryContent{Calls: []int{0, 1}}}}, []*model.Entry{{Index: 1, Content: &model.EntryContent{Calls: []int{1}}}}, "~"},
		{"an empty text is another than the whole", kept(1), []*model.Entry{{Index: 1, Content: &model.EntryContent{Text: []model.Piece{}}}}, "~"},
	} {
		got := ""
		for _, r := range Views(tc.a, tc.b) {
			got += string("=~-+"[r.Kind])
		}
		if got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// TestViewsKeepEveryEntry checks, for random views, that every entry of both sides has one row, in order.
func TestViewsKeepEveryEntry(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	some := func() (list []*model.Entry) {
		for i := range int32(12) {
			switch r.IntN(5) {
			case 0:
				list = append(list, entry(i, "x"))
			case 1:
				list = append(list, entry(-1, string(rune('a'+r.IntN(3)))))
			case 2, 3:
				list = append(list, entry(i, ""))
			}
		}
		return list
	}
	for range 300 {
		a, b := some(), some()
		i, j := 0, 0
		for _, row := range Views(a, b) {
			if row.A >= 0 {
				if row.A != i {
					t.Fatalf("entry %d of the first view is out of place", i)
				}
				i++
			}
			if row.B >= 0 {
				if row.B != j {
					t.Fatalf("entry %d of the second view is out of place", j)
				}
				j++
			}
			if row.Kind == Changed && a[row.A].Index != b[row.B].Index {
				t.Fatalf("message %d is taken for %d", a[row.A].Index, b[row.B].Index)
			}
		}
		if i != len(a) || j != len(b) || !Equal(Views(a, a)) {
			t.Fatalf("%d of %d and %d of %d entries", i, len(a), j, len(b))
		}
	}
}
