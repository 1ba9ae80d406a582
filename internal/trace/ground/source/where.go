package source

import "encoding/binary"

// placeBlock is the number of bytes from which a block of places takes no more.
const placeBlock = 1 << 10

// placeNames keeps the places of texts, of which many begin alike: each block holds its first place whole, and of the
// others the number of bytes shared with the one before and the rest.
type placeNames struct {
	blocks [][]byte
	last   string
	id     uint32 // of last
}

// add keeps a place and returns its id: the number of its block and its offset there.
func (p *placeNames) add(place string) uint32 {
	if place == p.last && len(p.blocks) > 0 {
		return p.id
	}
	shared, n := sharedBytes(p.last, place), len(p.blocks)-1
	if n < 0 || len(p.blocks[n]) >= placeBlock {
		var block []byte
		if n >= 0 { // the first block grows with its places, so that those of a small document stay small
			block = make([]byte, 0, placeBlock+placeBlock/8)
		}
		p.blocks = append(p.blocks, block)
		shared, n = 0, n+1
	}
	b := p.blocks[n]
	p.last, p.id = place, uint32(n*placeBlock+len(b))
	b = binary.AppendUvarint(b, uint64(shared))
	b = binary.AppendUvarint(b, uint64(len(place)-shared))
	p.blocks[n] = append(b, place[shared:]...)
	return p.id
}

// of returns the place with an id.
func (p *placeNames) of(id uint32) string {
	block, end := p.blocks[id/placeBlock], int(id%placeBlock)
	var place []byte
	for at := 0; at <= end; {
		shared, n := binary.Uvarint(block[at:])
		at += n
		size, n := binary.Uvarint(block[at:])
		at += n
		place = append(place[:shared], block[at:at+int(size)]...)
		at += int(size)
	}
	return string(place)
}

// sharedBytes returns the number of bytes with which both texts begin.
func sharedBytes(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
