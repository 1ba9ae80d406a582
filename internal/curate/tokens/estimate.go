package tokens

import (
	"sync"
	"unicode"
	"unicode/utf8"
)

// Estimate counts the pieces into which a tokenizer would split a text, and adds tokens for
// long pieces. It is for models without a public tokenizer. On 915 pieces of transcripts,
// traces and Go source, 2,000 bytes each, its mean error was 6 % of the o200k count, and its
// total 3 % too low.
type Estimate struct{}

// Name returns "estimate".
func (Estimate) Name() string { return "estimate" }

// Exact returns false.
func (Estimate) Exact() bool { return false }

// Count estimates the number of tokens of text.
func (Estimate) Count(text string) int {
	p := estimator()
	n, s := 0, begin
	for text != "" {
		if end := asciiLen(text); end > 0 {
			more := 0
			more, s = p.ascii(text[:end], s)
			n, text = n+more, text[end:]
			continue
		}
		r, size := utf8.DecodeRuneInString(text)
		c := wide
		if r < 0x2E80 && unicode.IsLetter(r) {
			c = lower
		}
		s = p.after(s, c)
		n, text = n+s.tokens(), text[size:]
	}
	return n
}

type class uint16

const (
	space class = iota
	newline
	lower
	upper
	digit
	punct
	wide
	numClasses
)

// ascii holds the class of every ASCII character as a digit.
const ascii = "00000000001001000000000000000000" +
	"05555555555555554444444444555555" +
	"53333333333333333333333333355555" +
	"52222222222222222222222222255555"

// per is the number of characters of a class that add a token to a piece.
var per = [numClasses]int{space: 16, newline: 4, lower: 7, upper: 3, digit: 3, punct: 3, wide: 1}

// A state is the class of the last character of a text and the length of its run, of which per of the class is the
// largest. Its top bit is set if the character added a token.
type state uint16

const (
	begin     state = 0 // before the first character
	stateBits       = 6
	token     state = 1 << 15
)

func (s state) tokens() int { return int(s / token) }

// An automaton divides a text into pieces, character by character.
type automaton struct {
	class [256]class // of ASCII characters, shifted by stateBits
	next  [1 << (stateBits + 3)]state
}

// after returns the state after a character.
func (p *automaton) after(s state, c class) state { return p.step(s, c<<stateBits) }

// step is after for a shifted class.
func (p *automaton) step(s state, c class) state {
	return p.next[int(s|state(c))%len(p.next)]
}

// estimator returns the automaton, made at the first count.
var estimator = sync.OnceValue(func() *automaton {
	p := &automaton{}
	for c := range ascii {
		p.class[c] = class(ascii[c]-'0') << stateBits
	}
	var first [numClasses]state // after a character that begins a run
	states := begin + 1
	for c, n := range per {
		first[c] = states
		states += state(n)
	}
	for c := range numClasses {
		p.next[begin|state(c)<<stateBits] = first[c] | token
		for last := range numClasses {
			for run := range state(per[last]) {
				next := first[c]
				switch {
				case last == c && run+1 < state(per[c]):
					next += run + 1
				case last == c || run > 0 || !joins(last, c):
					next |= token
				}
				p.next[first[last]+run|state(c)<<stateBits] = next
			}
		}
	}
	return p
})

// joins reports whether a character belongs to the piece of the single character before it.
func joins(last, c class) bool {
	switch last {
	case upper: // a capital before a word
		return c == lower
	case space:
		return c != newline && c != digit
	case punct:
		return c == lower || c == upper
	}
	return false
}

// lanes is the number of parts of a text that the automaton reads in turn. Each step in a part waits for the one
// before it, so one part alone would leave the processor idle.
const lanes = 4

// shortest is the length of a text that is worth dividing.
const shortest = 128

// ascii returns the number of tokens that ASCII characters add after a state, and the state after them.
func (p *automaton) ascii(text string, s state) (tokens int, last state) {
	if len(text) < shortest {
		return p.one(text, s)
	}
	parts, states, ok := p.divide(text, s)
	if !ok {
		return p.one(text, s)
	}
	n := min(len(parts[0]), len(parts[1]), len(parts[2]), len(parts[3]))
	a, b, c, d := parts[0][:n], parts[1][:n], parts[2][:n], parts[3][:n]
	sa, sb, sc, sd := states[0], states[1], states[2], states[3]
	for i := range len(a) {
		sa, sb, sc, sd = p.step(sa, p.class[a[i]]), p.step(sb, p.class[b[i]]), p.step(sc, p.class[c[i]]), p.step(sd, p.class[d[i]])
		tokens += sa.tokens() + sb.tokens() + sc.tokens() + sd.tokens()
	}
	states = [lanes]state{sa, sb, sc, sd}
	for i, part := range parts {
		more := 0
		more, last = p.one(part[n:], states[i])
		tokens += more
	}
	return tokens, last
}

// one is ascii for a text in one part.
func (p *automaton) one(text string, s state) (tokens int, last state) {
	for i := range len(text) {
		s = p.step(s, p.class[text[i]])
		tokens += s.tokens()
	}
	return tokens, s
}

// divide returns parts of about the same length and the state before each. All but the last end with a character
// that begins a run: the state after it does not depend on what precedes it. ok is false where a run is too long.
func (p *automaton) divide(text string, s state) (parts [lanes]string, states [lanes]state, ok bool) {
	const longestRun = 64
	every := len(text) / lanes
	states[0] = s
	for i := range lanes - 1 {
		end := every
		for end < len(text) && end < every+longestRun && p.class[text[end]] == p.class[text[end-1]] {
			end++
		}
		if end >= len(text) || end == every+longestRun {
			return parts, states, false
		}
		parts[i], text = text[:end+1], text[end+1:]
		states[i+1] = p.step(begin, p.class[parts[i][end]])
	}
	parts[lanes-1] = text
	return parts, states, true
}
