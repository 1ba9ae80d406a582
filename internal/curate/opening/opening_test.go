package opening

import (
	"strings"
	"testing"
)

// TestMemo checks that short texts are remembered, each as its own, until there is no room.
func TestMemo(t *testing.T) {
	var none *Memo
	none.remember(1, "text")
	if _, ok := none.of(1); ok {
		t.Error("a nil memo remembers a text")
	}
	b := new(Memo)
	b.remember(1, "one")
	b.remember(2, strings.Repeat("x", longest+1))
	for i, want := range []string{"", "one", ""} {
		if got, ok := b.of(i); got != want || ok != (want != "") {
			t.Errorf("the text of message %d is %q, want %q", i, got, want)
		}
	}
	for i := range 2 * most / longest {
		b.remember(i, strings.Repeat("y", longest))
	}
	if n := len(b.texts); n*longest > most || n*longest < most/2 {
		t.Errorf("%d texts are remembered", n)
	}
}
