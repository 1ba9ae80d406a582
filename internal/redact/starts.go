package redact

// starts finds the words of an automaton by the places at which they may begin. Few places of a text have the first
// three bytes of a word, so it is several times as fast as the automaton.
type starts struct {
	*words
	// all has a bit for each three classes of bytes with which a word begins. free lacks the words that begin only
	// at a boundary, behind a byte that is part of no word.
	all, free *[startBits / 64]uint64
	// near has a bit for each three kinds of bytes with which a word begins, and another for the same at a boundary. All
	// digits are of one kind. The lowest bit of a kind is set for bytes that are part of no word.
	near   *[2 * startBits / 64]uint64
	kinds  [256]uint8
	length []int // of a word
}

const (
	startBytes = 3 // of a word are looked up
	classBits  = 6 // enough for the classes of all words, and for twice as many kinds as there are letters
	startBits  = 1 << (startBytes * classBits)
)

// newStarts returns the starts of those words of an automaton that wants needs. bounded is set if a word begins only
// at a boundary.
func newStarts(w *words, list []string, wants func(word int) (needed, bounded bool)) *starts {
	s := &starts{words: w, length: make([]int, len(list)), all: new([startBits / 64]uint64), free: new([startBits / 64]uint64), near: new([2 * startBits / 64]uint64)}
	s.setKinds()
	for id, word := range list {
		s.length[id] = len(word)
		needed, bounded := wants(id)
		if !needed {
			continue
		}
		first := word[:min(len(word), startBytes)]
		mark(s.all[:], first, &s.class)
		mark(s.near[startBits/64:], first, &s.kinds)
		if !bounded {
			mark(s.free[:], first, &s.class)
			mark(s.near[:startBits/64], first, &s.kinds)
		}
	}
	return s
}

// setKinds sets the kinds of all bytes. A letter has the same kind in both cases, and all bytes that begin no word share one.
func (s *starts) setKinds() {
	inside, outside := uint8(0), uint8(1) // the next kind of bytes that are part of a word, and of others
	for c := range s.kinds {
		switch b := byte(c); {
		case b >= 'A' && b <= 'Z': // the small letter follows
		case isDigit(b) && b > '0':
			s.kinds[b] = s.kinds['0']
		case isWord(b):
			s.kinds[b] = inside
			if isLower(b) {
				s.kinds[b-'a'+'A'] = inside
			}
			inside += 2
		case s.class[b] == 0:
			s.kinds[b] = 1
		default:
			outside += 2
			s.kinds[b] = outside
		}
	}
}

// mark sets the bits of the classes with which a word begins, with any class behind fewer than three.
func mark(bits []uint64, first string, class *[256]uint8) {
	prefix := uint32(0)
	for i := range len(first) {
		prefix = prefix<<classBits | uint32(class[first[i]])
	}
	count := uint32(1) << (classBits * (startBytes - len(first)))
	for i := prefix * count; i < (prefix+1)*count; i++ {
		bits[i/64] |= 1 << (i % 64)
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
	kinds, near := &s.kinds, s.near
	if rest := text[i:]; len(rest) >= startBytes {
		before := uint8(1)
		if i > 0 {
			before = kinds[text[i-1]]
		}
		code := (uint32(before)<<classBits|uint32(kinds[rest[0]]))<<classBits | uint32(kinds[rest[1]]) // the kinds of the last bytes
		rest = rest[startBytes-1:]
		for j := range len(rest) {
			code = code<<classBits | uint32(kinds[rest[j]])
			if near[code>>6%(2*startBits/64)]>>(code%64)&1 != 0 && s.may(text, i+j) {
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
