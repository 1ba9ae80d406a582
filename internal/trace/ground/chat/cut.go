package chat

import (
	"strconv"
	"strings"
)

// The code that displays a text masks its secrets, and cannot recognise half a secret. So this package never
// cuts inside a word, and lists cut their lines after masking.

const (
	titleLen = 4096 // of a title: the whole first line of nearly every text, in bytes
	nameLen  = 200  // of a name quoted in a warning, in bytes
)

// wordEnds holds characters that no key or password contains: white space, and the
// punctuation of scripts written without spaces.
const wordEnds = " \t\r\n\v\f\u3000、。，；：？！"

// Cut shortens a text to at most n bytes and marks the cut. It cuts between words; escape
// sequences and control characters count as parts of words.
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

// wordStart returns the start of the last word of a text.
func wordStart(text string) int {
	return len(strings.TrimRightFunc(text, func(r rune) bool { return !strings.ContainsRune(wordEnds, r) }))
}

// openSequence returns the start of an unfinished terminal sequence at the end of the text,
// or the length of the text. A sequence may contain spaces.
func openSequence(text string) int {
	const longest = 2048 // anything longer is text, not a sequence
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

// Title returns the first line of text that is not blank, cut only if it exceeds the length
// of a title.
func Title(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			return strings.Clone(Cut(line, titleLen))
		}
	}
	return ""
}

// TitleOf returns the [Title] of a text from its beginning. ok is false if that takes more of the text.
func TitleOf(head string) (title string, ok bool) {
	for line := range strings.Lines(head) {
		ended := strings.HasSuffix(line, "\n")
		if line = strings.TrimSpace(line); line != "" {
			return strings.Clone(Cut(line, titleLen)), ended || len(line) > titleLen
		}
	}
	return "", false
}

// Quote quotes a recorded name for a warning or an error.
func Quote(name string) string { return strconv.Quote(Cut(name, nameLen)) }
