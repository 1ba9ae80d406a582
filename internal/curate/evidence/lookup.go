package evidence

import (
	"hash/maphash"
	"maps"
	"strings"
	"sync"

	"agentlens/internal/curate/common"
	"agentlens/internal/model"
)

// A lookup finds words and phrases of replies in other texts.
type lookup struct {
	base    string       // the folder of the run, without slashes around it
	seed    maphash.Seed // of whole words
	ends    maphash.Seed // of the ends of paths in replies
	aliases map[uint64][]alias
	phrases map[uint64]int32 // id of each phrase of a reply
	known   filter           // of the keys of aliases and phrases
	texts   []string         // of the words, to be shown; nil while they are found

	fill   func() // finds all of this when it is first needed; nil if that is done
	filled sync.Once
}

// An alias is a word by which a message refers to a word of a reply.
type alias struct {
	word int32
	hint bool
}

func newLookup(run *model.Run) *lookup {
	return &lookup{
		base: strings.Trim(run.Project, "/"), seed: maphash.MakeSeed(), ends: maphash.MakeSeed(),
		aliases: map[uint64][]alias{}, phrases: map[uint64]int32{},
	}
}

// need makes sure that the words are there.
func (l *lookup) need() {
	if l.fill != nil {
		l.filled.Do(l.fill)
	}
}

// narrow returns a lookup of some words alone, whose ids are their positions among them.
func (f *finder) narrow(words []evidenceWord) *lookup {
	l := &lookup{base: f.base, seed: f.seed, ends: f.ends, aliases: map[uint64][]alias{}, phrases: map[uint64]int32{}, texts: make([]string, len(words))}
	to, keep := make(map[int32]int32, len(words)), storage{}
	for i, w := range words {
		to[w.of], l.texts[i] = int32(i), keep.keep(f.names[w.of].text)
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
	l.known = filterOf(len(l.aliases)+len(l.phrases), maps.Keys(l.aliases), maps.Keys(l.phrases))
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
		words.add(maphash.String(l.seed, key))
		if !w.part {
			words.add(maphash.String(l.ends, key))
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
