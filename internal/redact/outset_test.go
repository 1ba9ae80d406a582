package redact

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestOutset checks that no outset excludes a match of its rule, and that outsets exclude most texts without one.
func TestOutset(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	tails := []string{
		" ", "=", ": ", "\"", "'", "a", "Z", "7", "_", "-", ".", "/", "@", "é", "\n", ":// ", "user:pass@host", "_token=", "AKIA",
		strings.Repeat("a1B2", 12), strings.Repeat("0f", 20), strings.Repeat("9", 32), "is the", "word", " key = ", "==", ",",
	}
	tried, matched, excluded := 0, 0, 0
	for i := range ruleTable {
		r := rule{ruleRow: &ruleTable[i]}
		if !r.anchored {
			continue
		}
		for range 60 {
			text := r.words[rnd.IntN(len(r.words))]
			if rnd.IntN(2) == 0 {
				text = strings.ToUpper(text)
			}
			for range rnd.IntN(6) {
				text += tails[rnd.IntN(len(tails))]
			}
			may, matches := r.outset.of(r.expr).may(text), r.regexp().MatchString(text)
			if matches && !may {
				t.Fatalf("%s: %q matches %s", r.id, text, r.expr)
			}
			tried++
			if matches {
				matched++
			}
			if !may {
				excluded++
			}
		}
	}
	t.Logf("of %d texts, %d match and %d are excluded", tried, matched, excluded)
	if matched < tried/100 || excluded < tried/4 {
		t.Errorf("of %d texts, %d match and %d are excluded: want some and many", tried, matched, excluded)
	}
}

func TestOutsetOfFewWords(t *testing.T) {
	o := newOutset(`\A(?:(?i:key)[0-9]{2,3}(?:=|\bx$))`)
	for text, want := range map[string]bool{
		"key12=": true, "KEY123=": true, "key12x": true, "key1": true, "ke": true, "": true, "keyé": true,
		"key1234": false, "kex": false, "key12-": false, " key12=": false,
	} {
		if o.may(text) != want {
			t.Errorf("%q: want %t", text, want)
		}
	}
}
