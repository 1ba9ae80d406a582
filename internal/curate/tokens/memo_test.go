package tokens

import (
	"strings"
	"sync"
	"testing"
)

// counted counts its calls.
type counted struct {
	Estimate
	mu    sync.Mutex
	asked int
}

func (c *counted) Count(text string) int {
	c.mu.Lock()
	c.asked++
	c.mu.Unlock()
	return len(text)
}

func TestMemo(t *testing.T) {
	c := &counted{}
	m := Memo(c)
	if Memo(m) != m {
		t.Error("a memo of a memo is another one")
	}
	texts := []string{strings.Repeat("a", 200), strings.Repeat("b", 200), strings.Repeat("a", 201), "short"}
	var wait sync.WaitGroup
	for range 8 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for _, text := range texts {
				if n := m.Count(text); n != len(text) {
					t.Errorf("%d for %d bytes", n, len(text))
				}
			}
		}()
	}
	wait.Wait()
	c.asked = 0
	for range 10 {
		for _, text := range texts[:3] {
			m.Count(text)
		}
	}
	if c.asked != 0 {
		t.Errorf("counted %d times what was counted before", c.asked)
	}
}

// TestMemoForgets checks that a full memo evicts entries, but keeps those that are used
// repeatedly.
func TestMemoForgets(t *testing.T) {
	c := &counted{}
	m := Memo(c).(*memo)
	m.limit = 10
	often := strings.Repeat("often", 50)
	for i := range 100 {
		m.Count(often)
		m.Count(strings.Repeat("x", 200+i))
	}
	if c.asked != 101 {
		t.Errorf("counted %d times, want each text once", c.asked)
	}
	if n := len(m.young) + len(m.old); n > 20 {
		t.Errorf("%d texts are remembered, with a limit of 10 twice", n)
	}
}
