package chat

import (
	"strconv"
	"strings"
)

// Secrets are masked by whoever shows a text, and half a secret is not known for
// one. So nothing is cut here inside a word, and what fits a line of a list is cut
// there, once it is masked.

const (
	titleLen = 4096 // bytes of a title: the whole first line of nearly every text
	nameLen  = 200  // bytes of a name that is quoted in a warning
)

// wordEnds are the characters that no key or password has in it: white space, and
// the points and commas of scripts that are written without spaces.
const wordEnds = " \t\r\n\v\f\u3000、。，；：？！"

// Cut shortens a text to at most n bytes, before the word that would be cut, and
// marks the cut. A word is all that is not white space, escape sequences and
// control characters too.
func Cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	end := n
	if !strings.ContainsRune(wordEnds, rune(text[n])) {
		end = wordStart(text[:n])
	}
	for open := openSequence(text[:end]); open < end; open = openSequence(text[:end]) {
		end = wordStart(text[:open])
	}
	return strings.TrimRight(text[:end], wordEnds) + "…"
}

// wordStart is where the word begins that a text ends with.
func wordStart(text string) int {
	return len(strings.TrimRightFunc(text, func(r rune) bool { return !strings.ContainsRune(wordEnds, r) }))
}

// openSequence returns the start of the terminal sequence that is open at the end of
// the text, or the length of the text. A sequence may contain spaces.
func openSequence(text string) int {
	const longest = 2048 // what goes on longer is no sequence but text
	at := strings.LastIndexByte(text, 0x1b)
	if at < 0 || len(text)-at > longest {
		return len(text)
	}
	switch rest := text[at+1:]; {
	case rest == "":
		return at
	case rest[0] == '[' && !strings.ContainsFunc(rest[1:], func(r rune) bool { return r >= '@' && r <= '~' }):
		return at
	case strings.IndexByte("]P_^X", rest[0]) >= 0 && !strings.Contains(rest, "\a"):
		return at
	}
	return len(text)
}

// Title is the first line of text that says something, whole unless it is longer
// than any title.
func Title(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			return strings.Clone(Cut(line, titleLen))
		}
	}
	return ""
}

// Quote quotes a name from a record for a warning or an error.
func Quote(name string) string { return strconv.Quote(Cut(name, nameLen)) }
