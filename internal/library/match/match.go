// Package match finds what a person searches for in text: a literal, in either
// case unless it holds a capital letter, or a regular expression.
package match

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Matcher finds one pattern. The zero value finds nothing.
type Matcher struct {
	text string
	fold bool // letters match in either case; text is in lower case
	re   *regexp.Regexp
}

// Literal matches a text.
func Literal(text string) *Matcher {
	return &Matcher{text: text, fold: strings.IndexFunc(text, unicode.IsUpper) < 0}
}

// Regexp matches a regular expression of Go's kind, with the same rule of case
// unless the expression sets its own flags.
func Regexp(expr string) (*Matcher, error) {
	if _, err := regexp.Compile(expr); err != nil { // of the expression as it was given
		return nil, fmt.Errorf("%q is no regular expression: %s", expr, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	flags := "(?m)"
	if strings.IndexFunc(expr, unicode.IsUpper) < 0 {
		flags = "(?im)"
	}
	re, err := regexp.Compile(flags + expr)
	if err != nil {
		return nil, fmt.Errorf("%q is no regular expression: %w", expr, err)
	}
	return &Matcher{re: re}, nil
}

// Find returns where the first occurrence in s begins and ends, in bytes; from is
// -1 when there is none. An empty match is none.
func (m *Matcher) Find(s string) (from, to int) {
	switch {
	case m.re != nil:
		for at := 0; at <= len(s); {
			loc := m.re.FindStringIndex(s[at:])
			if loc == nil {
				return -1, -1
			}
			if loc[1] > loc[0] {
				return at + loc[0], at + loc[1]
			}
			_, size := utf8.DecodeRuneInString(s[at+loc[1]:])
			at += loc[1] + max(size, 1)
		}
		return -1, -1
	case m.text == "":
		return -1, -1
	case !m.fold:
		if from = strings.Index(s, m.text); from < 0 {
			return -1, -1
		}
		return from, from + len(m.text)
	}
	return m.findFold(s)
}

func (m *Matcher) findFold(s string) (from, to int) {
	first, _ := utf8.DecodeRuneInString(m.text)
	for at := 0; at < len(s); {
		i := indexFold(s[at:], first)
		if i < 0 {
			break
		}
		at += i
		if k := foldedPrefix(s[at:], m.text); k >= 0 {
			return at, at + k
		}
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return -1, -1
}

// indexFold is the place of lower-case r in s in either case.
func indexFold(s string, r rune) int {
	if r < utf8.RuneSelf && !unicode.IsLetter(r) {
		return strings.IndexByte(s, byte(r))
	}
	for i, c := range s {
		if folded(c, r) {
			return i
		}
	}
	return -1
}

// folded reports whether c is lower-case r in either case. A letter of ASCII has
// no other case beyond it: the Kelvin sign is no k.
func folded(c, r rune) bool {
	return c == r || (c < utf8.RuneSelf) == (r < utf8.RuneSelf) && unicode.ToLower(c) == r
}

// foldedPrefix is how many bytes of s match lower-case prefix, or -1.
func foldedPrefix(s, prefix string) int {
	at := 0
	for _, want := range prefix {
		c, size := utf8.DecodeRuneInString(s[at:])
		if size == 0 || !folded(c, want) {
			return -1
		}
		at += size
	}
	return at
}
