package redact

// starts finds the words of an automaton by the places at which they may begin. Few places of a text have the first
// three bytes of a word, so it is several times as fast as the automaton.
type starts struct {
	*words
	// all has a bit for each three classes of bytes with which a word begins. free lacks the words that begin only
	// at a boundary, behind a byte that is part of no word.
	all, free *[startBits / 64]uint64
	length    []int // of a word
}

const (
	startBytes = 3 // of a word are looked up
	classBits  = 6 // enough for the classes of all words
	startBits  = 1 << (startBytes * classBits)
)

// newStarts returns the starts of those words of an automaton that wants needs. bounded is set if a word begins only
// at a boundary.
func newStarts(w *words, list []string, wants func(word int) (needed, bounded bool)) *starts {
	s := &starts{words: w, length: make([]int, len(list)), all: new([startBits / 64]uint64), free: new([startBits / 64]uint64)}
	for id, word := range list {
		s.length[id] = len(word)
		needed, bounded := wants(id)
		if !needed {
			continue
		}
		prefix, n := uint32(0), min(len(word), startBytes)
		for i := range n {
			prefix = prefix<<classBits | uint32(w.class[word[i]])
		}
		s.mark(prefix, n, bounded)
	}
	return s
}

// mark sets the bits of the first n classes of a word, with any class behind fewer than three.
func (s *starts) mark(prefix uint32, n int, bounded bool) {
	count := uint32(1) << (classBits * (startBytes - n))
	first := prefix << (classBits * (startBytes - n))
	for i := first; i < first+count; i++ {
		s.all[i/64] |= 1 << (i % 64)
		if !bounded {
			s.free[i/64] |= 1 << (i % 64)
		}
	}
}

// A wordHit is a word that was found, and the offset after it.
type wordHit struct {
	word uint16
	end  int
}

// each does the same as [words.each] for the selected words. It may yield others, and omits those that need a
// boundary and have none.
func (s *starts) each(text string, yield func(word uint16, end int)) {
	var found [16]wordHit
	hits := found[:0] // not yet yielded: by end, then by start
	for at := s.find(text, 0); at < len(text); at = s.find(text, at+1) {
		for len(hits) > 0 && hits[0].end <= at {
			yield(hits[0].word, hits[0].end)
			hits = hits[:copy(hits, hits[1:])]
		}
		hits = s.at(text, at, hits)
	}
	for _, h := range hits {
		yield(h.word, h.end)
	}
}

// find returns the first offset of text, from i on, at which a word may begin, or the length of the text.
func (s *starts) find(text string, i int) int {
	class, all := &s.class, s.all
	if rest := text[i:]; len(rest) >= startBytes {
		code := uint32(class[rest[0]])<<classBits | uint32(class[rest[1]]) // the classes of the last bytes
		rest = rest[startBytes-1:]
		for j := range len(rest) {
			code = code<<classBits | uint32(class[rest[j]])
			if all[code>>6%(startBits/64)]>>(code%64)&1 != 0 && s.may(text, i+j) {
				return i + j
			}
		}
		i += len(rest)
	}
	for i < len(text) && !s.may(text, i) {
		i++
	}
	return i
}

// may reports whether a word may begin at offset i of text.
func (s *starts) may(text string, i int) bool {
	code := uint32(0)
	for j := i; j < i+startBytes; j++ {
		code <<= classBits
		if j < len(text) {
			code |= uint32(s.class[text[j]])
		}
	}
	bit := uint64(1) << (code % 64)
	return s.all[code/64]&bit != 0 && (s.free[code/64]&bit != 0 || i == 0 || !isWord(text[i-1]))
}

// at adds the words that begin at an offset, in the order of their ends.
func (s *starts) at(text string, at int, hits []wordHit) []wordHit {
	state := uint16(0)
	for i := at; i < len(text); i++ {
		next := s.next[int(state)*s.width+int(s.class[text[i]])]
		if int(s.depth[next]) != i-at+1 {
			break
		}
		if state = next; s.ends[state] != state {
			continue
		}
		hits = append(hits, wordHit{})
		k := len(hits) - 1
		for ; k > 0 && hits[k-1].end > i+1; k-- {
			hits[k] = hits[k-1]
		}
		hits[k] = wordHit{s.word[state], i + 1}
	}
	return hits
}
