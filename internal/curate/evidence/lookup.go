package evidence

import (
	"maps"
	"strings"
	"sync"

	"agentlens/internal/curate/common"
	"agentlens/internal/model"
)

// A lookup finds words and phrases of replies in other texts.
type lookup struct {
	base    string // the folder of the run, without slashes around it
	whole   hasher // of whole words
	ends    hasher // of the ends of paths in replies
	aliases map[uint64][]alias
	phrases map[uint64]int32 // id of each phrase of a reply
	known   filter           // of the keys of aliases and phrases

	kept   *keptHashes // those of all this, which are used when a word is first looked for; nil if there are none
	filled sync.Once
}

// An alias is a word by which a message refers to a word of a reply.
type alias struct {
	word int32
	hint bool
}

func newLookup(run *model.Run) *lookup {
	return &lookup{
		base: strings.Trim(run.Project, "/"), whole: newHasher("words of " + run.ID), ends: newHasher("ends of " + run.ID),
		aliases: map[uint64][]alias{}, phrases: map[uint64]int32{},
	}
}

// need makes sure that the words are there.
func (l *lookup) need() {
	if l.kept == nil {
		return
	}
	l.filled.Do(func() {
		l.kept.each(func(hash uint64, a alias) { l.aliases[hash] = append(l.aliases[hash], a) }, func(hash uint64, word int32) { l.phrases[hash] = word })
		l.limit()
	})
}

// limit makes the filter of the words.
func (l *lookup) limit() {
	l.known = filterOf(len(l.aliases)+len(l.phrases), maps.Keys(l.aliases), maps.Keys(l.phrases))
}

// narrow returns a lookup of some words alone, whose ids are their positions among them.
func (f *finder) narrow(words []evidenceWord) *lookup {
	l := newLookup(f.run)
	to := make(map[int32]int32, len(words))
	for i, w := range words {
		to[w.of] = int32(i)
	}
	for hash, list := range f.aliases {
		for _, a := range list {
			if id, ok := to[a.word]; ok {
				l.aliases[hash] = append(l.aliases[hash], alias{id, a.hint})
			}
		}
	}
	for hash, word := range f.phrases {
		if id, ok := to[word]; ok {
			l.phrases[hash] = id
		}
	}
	l.limit()
	return l
}

// eachOf yields the words and phrases of a text that are part of the evidence.
func (l *lookup) eachOf(text string, yield func(a alias)) {
	words := batch{of: l, found: func(hash uint64) {
		for _, a := range l.aliases[hash] {
			yield(a)
		}
	}}
	eachWord(text, func(w word) {
		key := w.key()
		if below, ok := strings.CutPrefix(key, l.base); ok && w.folder && l.base != "" && below != "" && below[0] == '/' {
			key = below[1:]
		}
		words.add(l.whole.of(key))
		if !w.part {
			words.add(l.ends.of(key))
		}
	})
	words.flush()
	phrases := batch{of: l, found: func(hash uint64) {
		if id, ok := l.phrases[hash]; ok {
			yield(alias{word: id})
		}
	}}
	common.Phrases(text, func(p common.Phrase) { phrases.add(p.Hash) })
	phrases.flush()
}
