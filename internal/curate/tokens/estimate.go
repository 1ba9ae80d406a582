package tokens

import (
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

type class uint8

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

// ascii holds the class of every ASCII character as a digit, and ":" for other bytes.
const ascii = "00000000001001000000000000000000" +
	"05555555555555554444444444555555" +
	"53333333333333333333333333355555" +
	"52222222222222222222222222255555" +
	"::::::::::::::::::::::::::::::::" +
	"::::::::::::::::::::::::::::::::" +
	"::::::::::::::::::::::::::::::::" +
	"::::::::::::::::::::::::::::::::"

// per is the number of characters of a class that add a token to a piece.
var per = [numClasses]int{space: 16, newline: 4, lower: 7, upper: 3, digit: 3, punct: 3, wide: 1}

// Count estimates the number of tokens of text.
func (Estimate) Count(text string) int {
	n, run, last := 0, 0, numClasses
	for i := 0; i < len(text); {
		code := ascii[text[i]]
		c := class(code - '0')
		if i++; code == ':' {
			r, size := utf8.DecodeRuneInString(text[i-1:])
			i += size - 1
			c = wide
			if unicode.IsLetter(r) && r < 0x2E80 {
				c = lower
			}
		}
		switch {
		case c == last:
			run++
		case c == lower && last == upper && run == 0: // a capital before a word
			last, run = c, 0
		case last == space && run == 0 && c != newline && c != digit: // a space belongs to the next piece
			last, run = c, 0
		case last == punct && run == 0 && (c == lower || c == upper): // so does a punctuation mark before a word
			last, run = c, 0
		default:
			n++
			last, run = c, 0
		}
		if code != ':' {
			from := i
			for i < len(text) && ascii[text[i]] == code {
				i++
			}
			run += i - from
		}
		for run >= per[c] {
			n, run = n+1, run-per[c]
		}
	}
	return n
}
