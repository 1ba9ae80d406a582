package evidence

import (
	"hash/maphash"
	"slices"
	"strings"

	"agentlens/internal/curate/common"
)

// A search finds words and phrases of replies in texts, one after the other.
type search struct {
	of    *lookup
	found func(a alias)
	words batch
	keys  []uint64 // of the words of the text
}

// newSearch returns a search that calls found for each word and phrase of a reply, perhaps more than once for a text.
func newSearch(l *lookup, found func(a alias)) *search {
	s := &search{of: l, found: found}
	s.words = batch{of: l, found: s.word}
	return s
}

// eachOf yields the words and phrases of a text that are part of the evidence.
func (l *lookup) eachOf(text string, yield func(a alias)) { newSearch(l, yield).read(text) }

// read finds the words and phrases of a text.
func (s *search) read(text string) {
	base := s.of.base
	eachWord(text, func(w word) {
		key := w.key()
		if w.folder && base != "" {
			if below, ok := strings.CutPrefix(key, base); ok && below != "" && below[0] == '/' {
				key = below[1:]
			}
		}
		s.words.add(maphash.String(s.of.seed, key), w.part)
	})
	s.words.flush()
	s.phrases(text)
}

// word reports what a word of a text refers to.
func (s *search) word(hash uint64, part bool) {
	for _, a := range s.of.aliases[hash] {
		if !a.end || !part {
			s.found(a)
		}
	}
}

// gramWords is the number of words in a row that a text is searched for. They begin at gramStep places of a phrase, so it
// is enough to look at every gramStep-th place of the text.
const (
	gramWords = 3
	gramStep  = common.PhraseWords - gramWords + 1
)

// phrases finds the phrases of a text. Looking for a part of them first rejects most places.
func (s *search) phrases(text string) {
	if s.keys = common.Keys(s.keys[:0], text); len(s.keys) < common.PhraseWords {
		return
	}
	l := s.of
	l.need()
	for at := gramWords; at <= len(s.keys); at += gramStep {
		if !l.grams.has(common.Join(s.keys[at-gramWords : at])) {
			continue
		}
		for end := max(at, common.PhraseWords); end < min(at+gramStep, len(s.keys)+1); end++ {
			words := s.keys[end-common.PhraseWords : end]
			if slices.Contains(words, common.NoWord) {
				continue
			}
			key := common.Join(words)
			if !l.known.has(key) {
				continue
			}
			if id, ok := l.phrases[key]; ok {
				s.found(alias{word: id})
			}
		}
	}
}
