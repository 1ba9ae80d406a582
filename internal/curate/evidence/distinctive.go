package evidence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// What makes a word distinctive: names of things, paths, numbers, addresses. Words
// of a language are none, whatever they mean.
const (
	shortestWord = 5 // code points; numbers need one less
	longestWord  = 200
	wordMarks    = "_-./:@#" // what a word may have between letters and digits
)

// eachWord gives the distinctive words of a text to yield. In escaped text, as
// JSON has it, what follows a backslash belongs to that.
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

// offer yields a word without the marks around it, if it is distinctive.
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
