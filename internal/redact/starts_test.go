package redact

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestStarts checks that the words of a text are found by their beginnings as by the automaton, in the same order.
func TestStarts(t *testing.T) {
	e := sharedEngine()
	rnd := rand.New(rand.NewPCG(3, 4))
	pieces := append(slices.Clone(e.list), " ", "_", "a", "N", "\n", "é", "x1", "=")
	for range 3000 {
		var b strings.Builder
		for range rnd.IntN(12) {
			piece := pieces[rnd.IntN(len(pieces))]
			if rnd.IntN(3) == 0 {
				piece = strings.ToUpper(piece)
			}
			b.WriteString(piece[rnd.IntN(min(len(piece), 2)):])
		}
		text := b.String()
		for _, email := range []int{0, 1} {
			var got, want []wordHit
			find := e.starts[Strict][email]()
			find.each(text, func(word uint16, end int) {
				if needed, _ := e.needs(int(word), Strict, email > 0); needed && e.starting(word, text, end, email > 0) {
					got = append(got, wordHit{word, end})
				}
			})
			e.words.each(text, func(word uint16, end int) {
				if needed, _ := e.needs(int(word), Strict, email > 0); needed && e.starting(word, text, end, email > 0) {
					want = append(want, wordHit{word, end})
				}
			})
			if !slices.Equal(got, want) {
				t.Fatalf("%q: words %v, want %v", text, got, want)
			}
		}
	}
}

// starting reports whether a word that ends at an offset of a text can be the beginning of a secret.
func (e *engine) starting(word uint16, text string, end int, email bool) bool {
	start := end - e.length[word]
	_, bounded := e.needs(int(word), Strict, email)
	return !bounded || start == 0 || !isWord(text[start-1])
}
