package view

import "testing"

// TestStoreKeepsWhatIsReadAhead puts a text that is larger than the limit on the screen. Smaller texts that are read
// ahead must stay, or they are requested again without end.
func TestStoreKeepsWhatIsReadAhead(t *testing.T) {
	s := NewStore(100)
	put := func(n, bytes int) { s.Put(Loaded{request: Request{Key: Key{index: int32(n)}}, bytes: bytes}) }
	put(0, 1000)
	for round := range 3 {
		s.Begin()
		s.Get(Key{index: 0}) // on the screen
		for n := 1; n <= 4; n++ {
			if w := (Request{Key: Key{index: int32(n)}}); s.Lacks(w) != (round == 0) {
				t.Fatalf("frame %d: text %d is requested: %t", round, n, round > 0)
			}
			if round == 0 {
				put(n, 10)
			}
		}
	}
	s.Begin()
	s.Get(Key{index: 0})
	for n := 5; n < 30; n++ {
		put(n, 10)
		s.Begin()
		s.Get(Key{index: 0})
	}
	if s.Bytes < 1000 || s.Bytes > 1000+60 {
		t.Errorf("%d bytes are kept, want 1000 of the screen and at most 60 others", s.Bytes)
	}
}
