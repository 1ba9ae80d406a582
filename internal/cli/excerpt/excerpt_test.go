package excerpt

import "testing"

func TestMessages(t *testing.T) {
	for text, want := range map[string]Range{
		"60..90": {60, 90}, "60-90": {60, 90}, "60–90": {60, 90}, "60..": {60, 100}, "..9": {1, 9}, "71": {71, 71}, " 3 .. 4 ": {3, 4},
		"90..900": {90, 100},
	} {
		if got, err := Messages(text, 100); err != nil || got != want {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "..", "-", "x", "9..3", "0..3", "101", "101..102", "1..x", "1..2..3", "-3"} {
		if got, err := Messages(text, 100); err == nil && text != "-3" {
			t.Errorf("%q is %v", text, got)
		}
	}
}

func TestAround(t *testing.T) {
	for text, want := range map[string]Range{"71": {66, 76}, "1": {1, 6}, "100": {95, 100}} {
		got, err := Around(text, 100)
		if err != nil || got != want {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
		if !got.Has(want.From-1) || !got.Has(want.To-1) || got.Has(want.From-2) || got.Has(want.To) {
			t.Errorf("%q: wrong ends", text)
		}
	}
	for _, text := range []string{"", "0", "101", "x", "-1"} {
		if _, err := Around(text, 100); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}
