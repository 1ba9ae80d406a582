// Package bm25 ranks the texts of a view by their similarity to a query. Texts change from call
// to call; the index is updated without reading all of them again.
//
// The package must never read a text itself.
package bm25

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentlens/internal/curate/keyset"
)

// These limits keep the cost of a search independent of the length of the history.
const (
	QueryWords = 32   // rarest words of the query that are searched
	WordPlaces = 64   // newest messages scored for each word
	textWords  = 4096 // maximum words indexed per text
)

// The usual parameters of BM25 (Robertson and Zaragoza, 2009).
const (
	bm25K = 1.2
	bm25B = 0.75
)

// Words splits a text into lower-case words: runs of at least two letters and digits, and
// single characters of scripts without spaces between words.
func Words(text string) []string {
	var list []string
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		from := 0
		for i, r := range word {
			if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) {
				list = appendWord(list, word[from:i])
				from = i + len(string(r))
				list = append(list, word[i:from])
			}
		}
		if list = appendWord(list, word[from:]); len(list) >= textWords {
			return list[:textWords]
		}
	}
	return list
}

func appendWord(list []string, word string) []string {
	if utf8.RuneCountInString(word) > 1 {
		list = append(list, word)
	}
	return list
}

// An Index finds the messages that contain a word.
type Index struct {
	places map[string][]posting
	texts  [][]string   // per key, its distinct words
	length *keyset.Sums // per key, its number of words
	count  *keyset.Sums // per key, 1 if it has a text
}

type posting struct {
	k     int32
	times int32
}

// NewIndex returns an empty index over size keys.
func NewIndex(size int) *Index {
	return &Index{places: map[string][]posting{}, texts: make([][]string, size), length: keyset.NewSums(size), count: keyset.NewSums(size)}
}

// Set sets the words of the text at k; an empty list removes the text.
func (x *Index) Set(k int32, list []string) {
	for _, w := range x.texts[k] {
		at, _ := find(x.places[w], k)
		if x.places[w] = slices.Delete(x.places[w], at, at+1); len(x.places[w]) == 0 {
			delete(x.places, w)
		}
	}
	times := map[string]int32{}
	for _, w := range list {
		times[w]++
	}
	x.texts[k] = x.texts[k][:0]
	for w, n := range times {
		at, _ := find(x.places[w], k)
		x.places[w] = slices.Insert(x.places[w], at, posting{k, n})
		x.texts[k] = append(x.texts[k], w)
	}
	x.length.Set(k, int64(len(list)))
	x.count.Set(k, int64(min(1, len(list))))
}

func find(places []posting, k int32) (int, bool) {
	return slices.BinarySearchFunc(places, k, func(p posting, k int32) int { return cmp.Compare(p.k, k) })
}

// Scores returns the messages before end that are similar to a query, with their scores. It
// scores only the newest messages that contain one of the rarest query words.
func (x *Index) Scores(query []string, end int32) map[int32]float64 {
	n := float64(x.count.Before(end))
	if n == 0 {
		return nil
	}
	mean := float64(x.length.Before(end)) / n
	var terms [][]posting // postings of each word
	seen := map[string]bool{}
	for _, w := range query {
		at, _ := find(x.places[w], end)
		if at > 0 && !seen[w] {
			terms = append(terms, x.places[w][:at])
		}
		seen[w] = true
	}
	sort.SliceStable(terms, func(i, j int) bool { return len(terms[i]) < len(terms[j]) })
	scores := map[int32]float64{}
	for _, places := range terms[:min(len(terms), QueryWords)] {
		df := float64(len(places))
		for _, p := range places[max(0, len(places)-WordPlaces):] {
			scores[p.k] += Weight(float64(p.times), float64(x.length.At(p.k)), mean, df, n)
		}
	}
	return scores
}

// Weight returns the score of a word. The word occurs times times in a text of length
// words, and in df of n texts; mean is the average length of a text.
func Weight(times, length, mean, df, n float64) float64 {
	idf := math.Log(1 + (n-df+0.5)/(df+0.5))
	return idf * times * (bm25K + 1) / (times + bm25K*(1-bm25B+bm25B*length/mean))
}
