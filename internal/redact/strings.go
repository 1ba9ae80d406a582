package redact

import "math/bits"

// A matcher finds the occurrences of many byte strings in one pass (Aho-Corasick). Unlike [words] it
// has a sparse table, respects case, and holds millions of states.
type matcher struct {
	first  [256]int32 // states after one byte; 0 is none
	grams  []uint64   // bits of the hashes of gramSize bytes, of those among the first bytes of each string
	shift  int        // of a hash to the index of its bit
	stride int        // number of offsets in each string at which its grams are known
	states []state
	length []int32 // of a string
}

// A state of a matcher stands for a prefix of a string. State 0 stands for the empty prefix.
type state struct {
	child, next int32 // first state one byte longer; next state with the same prefix but for its last byte
	fail        int32 // state of the longest proper suffix
	ends        int32 // number of the string that ends here plus 1, or 0
	shorter     int32 // the longest suffix that is a string, as a state, or 0
	depth       int32 // length of the prefix
	last        byte
}

// gramSize is the number of bytes by which a matcher passes over text: the length of the shortest string.
// maxStride bounds the number of grams of a string.
const (
	gramSize  = 4
	maxStride = 8
)

// newMatcher builds the automaton of strings of at least gramSize bytes. Equal strings are found once.
func newMatcher(list []string) *matcher {
	size, stride := 1, maxStride
	for _, s := range list {
		size += len(s)
		stride = min(stride, len(s)-gramSize+1)
	}
	log := min(max(bits.Len(uint(len(list)*stride))+4, 10), 22)
	m := &matcher{
		grams: make([]uint64, 1<<log/64), shift: 32 - log, stride: stride,
		states: make([]state, 1, size), length: make([]int32, len(list)),
	}
	for n, s := range list {
		m.length[n] = int32(len(s))
		for at := range stride {
			h := m.gram(s[at:])
			m.grams[h/64] |= 1 << (h % 64)
		}
		at := int32(0)
		for i := range len(s) {
			next := m.step(at, s[i])
			if next == 0 {
				next = m.grow(at, s[i])
			}
			at = next
		}
		if m.states[at].ends == 0 {
			m.states[at].ends = int32(n) + 1
		}
	}
	m.link()
	return m
}

// step returns the state after at and a byte, or 0.
func (m *matcher) step(at int32, c byte) int32 {
	if at == 0 {
		return m.first[c]
	}
	for s := m.states[at].child; s != 0; s = m.states[s].next {
		if m.states[s].last == c {
			return s
		}
	}
	return 0
}

func (m *matcher) grow(at int32, c byte) int32 {
	n := int32(len(m.states))
	s := state{last: c, depth: m.states[at].depth + 1}
	if at == 0 {
		m.first[c] = n
	} else {
		s.next = m.states[at].child
		m.states[at].child = n
	}
	m.states = append(m.states, s)
	return n
}

// link sets the suffixes of all states, shorter prefixes first.
func (m *matcher) link() {
	queue := make([]int32, 0, len(m.states))
	for _, s := range m.first {
		if s != 0 {
			queue = append(queue, s)
		}
	}
	for i := 0; i < len(queue); i++ {
		at := queue[i]
		for s := m.states[at].child; s != 0; s = m.states[s].next {
			fail := m.advance(m.states[at].fail, m.states[s].last)
			m.states[s].fail = fail
			m.states[s].shorter = fail
			if m.states[fail].ends == 0 {
				m.states[s].shorter = m.states[fail].shorter
			}
			queue = append(queue, s)
		}
	}
}

// advance returns the state of the longest suffix of at's prefix and a byte.
func (m *matcher) advance(at int32, c byte) int32 {
	for {
		if s := m.step(at, c); s != 0 || at == 0 {
			return s
		}
		at = m.states[at].fail
	}
}

// each calls yield for the longest string that ends at each offset, with its number and the offset.
func (m *matcher) each(text string, yield func(n, end int)) { m.from(0, text, yield) }

// from is each for a text that continues another: at is the state after that one. It returns the state
// after text. Offsets are those of text.
func (m *matcher) from(at int32, text string, yield func(n, end int)) int32 {
	for i := 0; i < len(text); i++ {
		if at == 0 {
			i = m.skip(text, i)
		}
		at = m.advance(at, text[i])
		s := at
		if m.states[s].ends == 0 {
			s = m.states[s].shorter
		}
		if s != 0 {
			yield(int(m.states[s].ends)-1, i+1)
		}
	}
	return at
}

// skip returns the first offset from i on at which a string may begin, or begin at the end of text. It looks at
// one gram in each stride: a string that begins in the stride has it.
func (m *matcher) skip(text string, i int) int {
	for p := i + m.stride - 1; p+gramSize <= len(text); p += m.stride {
		if h := m.gram(text[p:]); m.grams[h/64]&(1<<(h%64)) != 0 {
			break
		}
		i = p + 1
	}
	return i
}

// gram returns the index of the bit for the first bytes of s.
func (m *matcher) gram(s string) uint32 {
	const golden = 2654435761 // 2^32 divided by the golden ratio: spreads neighbours (Knuth)
	return (uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24) * golden >> m.shift
}
