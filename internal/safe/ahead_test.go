package safe

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"agentlens/internal/redact"
)

// someTexts returns texts of words, secrets, pieces of secrets, joiners and what looks like a mask.
func someTexts(rnd *rand.Rand, n int) []string {
	secret := func() string {
		b := make([]byte, 10+rnd.IntN(20))
		for i := range b {
			b[i] = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"[rnd.IntN(56)]
		}
		return string(b)
	}
	secrets := []string{secret(), secret(), secret(), "AKIA" + strings.Repeat("Q7", 8)}
	texts := make([]string, n)
	for i := range texts {
		var b strings.Builder
		for range rnd.IntN(120) {
			s := secrets[rnd.IntN(len(secrets))]
			switch rnd.IntN(24) {
			case 0:
				fmt.Fprintf(&b, "password=%s\n", s)
			case 1:
				fmt.Fprintf(&b, "export API_TOKEN=\"%s\" ", s)
			case 2:
				b.WriteString(s + " ")
			case 3:
				b.WriteString(s[:4] + "\n    " + s[4:])
			case 4:
				b.WriteString([]string{"❤\ufe0f", "\u200d", "[REDACTED:password:1]", "[REDACTED:", "key: ", "\\u0041", "secret = "}[rnd.IntN(7)])
			case 5:
				b.WriteString(s + "," + s)
			case 6:
				b.WriteByte('\n')
			case 7:
				b.WriteString(strings.Repeat("a line of words that nothing masks; ", rnd.IntN(40)) + "\n")
			default:
				b.WriteString(strings.Repeat("plain words ", 1+rnd.IntN(4)))
			}
		}
		texts[i] = b.String()
	}
	return texts
}

// TestAheadAgainstText compares the parts of texts that are looked at ahead with what [Gate.Text] makes of them, in order.
func TestAheadAgainstText(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 7))
	whole, masked := 0, 0
	for range 12 {
		texts := someTexts(rnd, 60)
		plain, ahead := testGate(t, redact.Options{Level: redact.Strict}), testGate(t, redact.Options{Level: redact.Strict})
		for _, g := range []*Gate{plain, ahead} {
			g.Remember()
			for _, text := range texts {
				g.See(text)
			}
		}
		found := make([]Ahead, len(texts))
		ok := make([]bool, len(texts))
		for _, i := range rnd.Perm(len(texts)) {
			found[i], ok[i] = ahead.LookAhead(texts[i])
		}
		for i, text := range texts {
			want := plain.Text(text)
			parts, known := []Safe(nil), false
			if ok[i] {
				parts, known = ahead.Parts(nil, text, found[i])
			}
			if !known {
				parts = []Safe{ahead.CopyText(text)}
			} else if whole++; len(parts) > 1 {
				masked++
			}
			if got := Whole(parts); got != want {
				t.Fatalf("%q:\ngot  %q\nwant %q", text, got, want)
			}
		}
		if got, want := ahead.Found(), plain.Found(); !slices.Equal(got, want) {
			t.Errorf("counts %v, want %v", got, want)
		}
	}
	if whole < 100 || masked < 50 {
		t.Errorf("only %d texts were looked at ahead, %d of them with masks", whole, masked)
	}
}

// TestPartsOfLaterValues checks that a text is searched again for a value that became known after it was looked at.
func TestPartsOfLaterValues(t *testing.T) {
	g := defaultGate(t)
	g.Remember()
	text := strings.Repeat("many plain words ", 30) + "Zk3vQ9tLw7xYb2Hd"
	g.See(text)
	a, ok := g.LookAhead(text)
	if parts, known := g.Parts(nil, text, a); !ok || !known || Whole(parts).String() != text {
		t.Fatalf("%t, %t, %q", ok, known, parts)
	}
	g.Known().Add("Zk3vQ9tLw7xYb2Hd", "literal")
	if _, known := g.Parts(nil, text, a); known {
		t.Error("a value that became known is not searched for")
	}
}

// TestSettledParts compares the search around masks with that of the whole masked text.
func TestSettledParts(t *testing.T) {
	rnd := rand.New(rand.NewPCG(2, 9))
	g := testGate(t, redact.Options{Level: redact.Strict})
	var searched, settled, not int
	for _, text := range someTexts(rnd, 400) {
		spans := g.redactor.Find(text)
		if n := len(spans); n > 1 && rnd.IntN(4) == 0 {
			at := rnd.IntN(n)
			spans = slices.Delete(spans, at, at+1)
		}
		if len(spans) == 0 {
			continue
		}
		got := isSettled(text, spans, func(part string) bool {
			searched += len(part)
			return g.findsAgain(part)
		})
		var out outcome
		want := len(g.redactor.FindAgain(g.mask(text, spans, &out))) == 0
		if got != want {
			t.Fatalf("%q: %t, want %t", text, got, want)
		}
		if settled++; !want {
			not++
		}
	}
	if settled-not < 50 || not < 5 {
		t.Errorf("%d texts, %d of them not settled", settled, not)
	}
	long := strings.Repeat("a line of words\n", 1000)
	searched = 0
	if !isSettled(long, []redact.Span{{Start: 8000, End: 8010}}, func(part string) bool { searched += len(part); return false }) || searched < 2*settledNear || searched > 3*settledNear {
		t.Errorf("%d bytes around a mask were searched", searched)
	}
}
