package kit

import "testing"

func TestBar(t *testing.T) {
	for _, c := range []struct {
		share float64
		cells int
		want  Words
	}{
		{0, 8, ""}, {1, 4, "████"}, {0.5, 4, "██"}, {0.25, 1, "▎"}, {0.001, 4, "▏"}, {1.5, 2, "██"}, {-1, 2, ""}, {0.45, 10, "████▌"}, {1, 0, ""},
	} {
		if got := Bar(c.share, c.cells); got != c.want {
			t.Errorf("%v of %d cells: %q, want %q", c.share, c.cells, got, c.want)
		}
	}
}
