// Package fuzzy ranks short texts by how well they fit what a person typed: a
// letter here and there is enough, whole words and their beginnings come first.
//
// It knows nothing of what the texts are, and works on any UTF-8.
package fuzzy

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Hit is a text that fits.
type Hit struct {
	Index int // in the list that was ranked
	Score int // higher fits better
}

// Weights of the parts of a score. A term that stands in the text as it is beats
// any scattered one.
const (
	wholeTerm   = 1000
	atTextStart = 400
	atWordStart = 200
	letterStart = 20  // a scattered letter at the start of a word
	letterNext  = 10  // right after the one before
	wholeQuery  = 500 // the text begins with all that was typed
)

// Rank returns the texts that hold every term of query, the best first; texts that
// fit equally well keep their order. An empty query fits everything.
func Rank(query string, texts []string) []Hit {
	terms := strings.Fields(strings.ToLower(query))
	begins := strings.ToLower(strings.TrimSpace(query))
	hits := make([]Hit, 0, len(texts))
	for i, t := range texts {
		lower := strings.ToLower(t)
		if score, ok := Fit(terms, lower); ok {
			if strings.HasPrefix(lower, begins) {
				score += wholeQuery
			}
			hits = append(hits, Hit{i, score})
		}
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	return hits
}

// Fit scores a text against terms; both are in lower case. ok is false when a
// term is not in it, not even scattered.
func Fit(terms []string, text string) (score int, ok bool) {
	for _, term := range terms {
		s, ok := fitTerm(term, text)
		if !ok {
			return 0, false
		}
		score += s
	}
	return score, true
}

func fitTerm(term, text string) (int, bool) {
	if at := strings.Index(text, term); at >= 0 {
		score := wholeTerm
		if at == 0 {
			return score + atTextStart, true
		}
		for ; at >= 0; at = next(text, term, at) {
			if startsWord(text, at) {
				return score + atWordStart, true
			}
		}
		return score, true
	}
	return scattered(term, text)
}

// next is the place of term after the one at at, or -1.
func next(text, term string, at int) int {
	i := strings.Index(text[at+1:], term)
	if i < 0 {
		return -1
	}
	return at + 1 + i
}

func startsWord(text string, at int) bool {
	if at == 0 {
		return true
	}
	c := text[at-1]
	return c < 0x80 && !unicode.IsLetter(rune(c)) && !unicode.IsDigit(rune(c))
}

// scattered finds the letters of term in text in their order.
func scattered(term, text string) (score int, ok bool) {
	at, last := 0, -1
	for _, want := range term {
		i := strings.IndexRune(text[at:], want)
		if i < 0 {
			return 0, false
		}
		at += i
		switch {
		case startsWord(text, at):
			score += letterStart
		case at == last:
			score += letterNext
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
		last = at
	}
	return score, true
}
