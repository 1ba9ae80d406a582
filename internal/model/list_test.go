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
