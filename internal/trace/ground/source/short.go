package source

import "hash/maphash"

const (
	// shortText is the size in bytes up to which a text is kept in memory: reading it again would take longer than
	// decoding it.
	shortText = 64
	// shortBlock is the number of bytes from which a block of short texts takes no more.
	shortBlock = 4 << 10
)

// shortTexts holds short texts one after the other. Of equal texts it mostly holds one, because the records of a
// document repeat many.
type shortTexts struct {
	blocks [][]byte
	seed   maphash.Seed
	latest []shortPlace // by hash; nil as long as there is one block
}

// A shortPlace is the position of a text.
type shortPlace struct {
	off int64
	len int
}

// add keeps a text and returns its offset: the number of its block and the offset there.
func (s *shortTexts) add(text string) int64 {
	n := len(s.blocks) - 1
	if n < 0 || len(s.blocks[n]) >= shortBlock {
		var block []byte
		if n >= 0 { // the first block grows with its texts, so that those of a small document stay small
			block = make([]byte, 0, shortBlock+shortText)
		}
		s.blocks = append(s.blocks, block)
		n++
	}
	if n > 0 && s.latest == nil {
		s.seed, s.latest = maphash.MakeSeed(), make([]shortPlace, 1<<10)
	}
	var latest *shortPlace
	if s.latest != nil {
		latest = &s.latest[maphash.String(s.seed, text)%uint64(len(s.latest))]
		if latest.len == len(text) && string(s.bytes(latest.off, latest.len)) == text {
			return latest.off
		}
	}
	off := int64(n*shortBlock + len(s.blocks[n]))
	s.blocks[n] = append(s.blocks[n], text...)
	if latest != nil {
		*latest = shortPlace{off, len(text)}
	}
	return off
}

// at returns a text.
func (s *shortTexts) at(off int64, n int) string { return string(s.bytes(off, n)) }

func (s *shortTexts) bytes(off int64, n int) []byte {
	block, from := s.blocks[off/shortBlock], off%shortBlock
	return block[from : from+int64(n)]
}
