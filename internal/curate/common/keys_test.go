package common

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// checkKeys checks that the phrases of [Keys] are those of [Phrases], in order, and that phrases have the same key if and
// only if they have the same hash.
func checkKeys(t *testing.T, text string, hashes, keys map[uint64]uint64) {
	t.Helper()
	var want, got []uint64
	Phrases(text, func(p Phrase) { want = append(want, p.Hash) })
	words := Keys(nil, text)
	EachPhrase(words, func(end int) { got = append(got, Join(words[end-PhraseWords:end])) })
	if len(got) != len(want) {
		t.Fatalf("%q: %d phrases, want %d", text, len(got), len(want))
	}
	for i, hash := range want {
		if key, ok := keys[hash]; ok && key != got[i] {
			t.Fatalf("%q: phrase %d has another key than before", text, i)
		}
		if old, ok := hashes[got[i]]; ok && old != hash {
			t.Fatalf("%q: phrase %d has the key of another one", text, i)
		}
		keys[hash], hashes[got[i]] = got[i], hash
	}
}

var keyTexts = []string{
	"changed between checkpoints of the thing", "  12\tone two three four five Six", "a/b.go:12:one two three four five", "one\\ntwo\\tthree four five six",
	"one two" + Break + "three four five six seven eight", "\u00c9t\u00e9 \u00e9T\u00c9 na\u00efve \u212aelvin kelvin x\u207f \u7f78 \u4e00\u4e8c", "\xff\xfe a b c d e\xff f", "internationalization Internationalization INTERNATIONALIZATION 12345678 123456789 abcdefgh",
	"x", "", "\n\n", "\x1e", "a\\", "[a@b`c{d}e/f:g0h9i]", "7-x one two three four five",
}

func TestKeys(t *testing.T) {
	hashes, keys := map[uint64]uint64{}, map[uint64]uint64{}
	for _, text := range keyTexts {
		checkKeys(t, text, hashes, keys)
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	const letters = "aAbzZ09 _.-/:@[`{~\\nrt\n\t\x1e\x00\u00e9\u00c9\u212a\u207f\u7f78\u0100\u2192"
	runes := []rune(letters)
	for range 20_000 {
		var b strings.Builder
		for range rnd.IntN(60) {
			b.WriteString(string(slices.Repeat([]rune{runes[rnd.IntN(len(runes))]}, 1+rnd.IntN(2))))
		}
		checkKeys(t, b.String(), hashes, keys)
	}
	if len(keys) < 1000 {
		t.Errorf("only %d phrases were compared", len(keys))
	}
}

func FuzzKeys(f *testing.F) {
	for _, text := range keyTexts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkKeys(t, text, map[uint64]uint64{}, map[uint64]uint64{}) })
}
