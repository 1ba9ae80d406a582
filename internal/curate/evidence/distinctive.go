package evidence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Distinctive words are names, paths, numbers and addresses, but not dictionary words.
const (
	shortestWord = 5 // code points; one less for numbers
	longestWord  = 200
	wordMarks    = "_-./:@#" // allowed between letters and digits
)

// eachWord yields the distinctive words of a text. In escaped text, such as JSON, the character
// after a backslash belongs to the escape.
func eachWord(text string, escaped bool, yield func(word string)) {
	start := -1
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(wordMarks, r) {
			if start < 0 {
				start = i
			}
			i += size
			continue
		}
		if start >= 0 {
			offer(text[start:i], yield)
			start = -1
		}
		if i += size; escaped && r == '\\' && i < len(text) {
			i++
		}
	}
	if start >= 0 {
		offer(text[start:], yield)
	}
}

// offer yields a word without surrounding marks if it is distinctive.
func offer(word string, yield func(string)) {
	word = strings.Trim(word, wordMarks)
	if len(word) < shortestWord-1 || len(word) > longestWord {
		return
	}
	n, digits, marks, humps, lower := 0, 0, 0, 0, false
	for _, r := range word {
		n++
		switch {
		case unicode.IsDigit(r):
			digits++
		case r != '-' && strings.ContainsRune(wordMarks, r):
			marks++
		case unicode.IsUpper(r) && lower:
			humps++
		}
		lower = unicode.IsLower(r)
	}
	if digits > 0 && n >= shortestWord-1 || n >= shortestWord && marks+humps > 0 {
		yield(word)
	}
}
