package model

import (
	"fmt"
	"testing"
)

func TestList(t *testing.T) {
	var l List[string]
	n := int32(5*blockLen/2 + 1)
	for i := range n {
		if at := l.Add(fmt.Sprint(i)); at != i {
			t.Fatalf("value %d got number %d", i, at)
		}
	}
	for i := range n {
		if got := *l.At(i); got != fmt.Sprint(i) {
			t.Fatalf("value %d is %s", i, got)
		}
		l.Forget(i)
	}
	if l.Len() != int(n) || l.blocks[0] != nil || l.blocks[2] == nil {
		t.Errorf("%d values, want %d; want all blocks but the last released", l.Len(), n)
	}
}

// TestListAll checks that All returns every value, whatever the number of blocks.
func TestListAll(t *testing.T) {
	var l List[int]
	if l.All() != nil {
		t.Error("an empty list has values")
	}
	for i := range 2*blockLen + 1 {
		l.Add(i)
		if i > 2 && i != blockLen-1 && i != blockLen && i != 2*blockLen {
			continue
		}
		if all := l.All(); len(all) != i+1 || all[0] != 0 || all[i] != i {
			t.Errorf("%d values, want %d", len(all), i+1)
		}
	}
}
