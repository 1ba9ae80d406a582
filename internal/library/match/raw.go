package match

import (
	"bytes"

	"agentlens/internal/jsontext"
)

// A Raw searches undecoded JSON, to exclude files and messages quickly. Without a hit the
// decoded text has no match; a hit must be checked in the decoded text.
type Raw struct {
	piece  []byte // in lower case where fold is set
	fold   bool
	anchor int // index of the byte of piece that is rarest in records
}

// Raw returns a search of raw JSON. It returns nil for a regular expression, and for a text
// of which JSON writers may escape every part.
func (m *Matcher) Raw() *Raw {
	if m.re != nil {
		return nil
	}
	piece := longestPlain(m.text)
	if piece == "" {
		return nil
	}
	r := &Raw{piece: []byte(piece), fold: m.fold}
	for i := range piece {
		if rarity(piece[i]) > rarity(piece[r.anchor]) {
			r.anchor = i
		}
	}
	return r
}

// longestPlain returns the longest part of s that all JSON writers write unchanged: without
// quotes, backslashes, slashes, markup and non-ASCII characters.
func longestPlain(s string) string {
	best, from := "", 0
	for i := 0; i <= len(s); i++ {
		if i < len(s) && plain(s[i]) {
			continue
		}
		if i-from > len(best) {
			best = s[from:i]
		}
		from = i + 1
	}
	return best
}

func plain(c byte) bool {
	return c >= ' ' && c < 0x7f && !bytes.ContainsRune([]byte(`"\/<>&'=+`), rune(c))
}

// rarity orders bytes by how rare they are in records: letters by their frequency in
// English, then digits, capitals and punctuation.
func rarity(c byte) int {
	const common = " etaoinsrhldcumfpgwybvkxjqz"
	lower := c | 0x20
	if i := bytes.IndexByte([]byte(common), c); i >= 0 {
		return i
	}
	if lower >= 'a' && lower <= 'z' {
		return 30 + bytes.IndexByte([]byte(common), lower)
	}
	if c >= '0' && c <= '9' {
		return 28
	}
	return 60
}

// Escaped returns the position of the next unnecessary escape in data from byte at, or -1.
// Few JSON writers use such escapes; text after one must be decoded.
func Escaped(data []byte, at int) int {
	for at++; ; at++ {
		i := bytes.IndexByte(data[min(at, len(data)):], 'u')
		if i < 0 {
			return -1
		}
		at += i
		if data[at-1] == '\\' && at+4 < len(data) && data[at+1] == '0' && data[at+2] == '0' {
			high, low := jsontext.Hex(data[at+3]), jsontext.Hex(data[at+4])
			if high >= 0 && low >= 0 && plain(byte(high<<4|low)) {
				return at - 1
			}
		}
	}
}

// EscapeLen is the length of such an escape in bytes.
const EscapeLen = len(`\u0061`)

// Next returns the offset of the next occurrence in data from at on, or -1.
func (r *Raw) Next(data []byte, at int) int {
	if !r.fold {
		if i := bytes.Index(data[at:], r.piece); i >= 0 {
			return at + i
		}
		return -1
	}
	c := r.piece[r.anchor]
	if c < 'a' || c > 'z' {
		return r.next(data, at, func(from int) int { return bytes.IndexByte(data[from:], c) })
	}
	// The next position of each case is kept, so that a letter that is rare in one case is
	// not searched again and again.
	var ahead [2]int
	ahead[0], ahead[1] = -1, -1
	cases := [2]byte{c, c &^ 0x20}
	return r.next(data, at, func(from int) int {
		nearest := -1
		for i, b := range cases {
			if ahead[i] < from {
				ahead[i] = len(data)
				if k := bytes.IndexByte(data[from:], b); k >= 0 {
					ahead[i] = from + k
				}
			}
			if ahead[i] < len(data) && (nearest < 0 || ahead[i] < nearest) {
				nearest = ahead[i]
			}
		}
		if nearest < 0 {
			return -1
		}
		return nearest - from
	})
}

// next checks each occurrence of the rarest byte until the piece matches around it.
func (r *Raw) next(data []byte, at int, index func(from int) int) int {
	for from := at + r.anchor; from < len(data); {
		i := index(from)
		if i < 0 {
			return -1
		}
		start := from + i - r.anchor
		if start+len(r.piece) > len(data) {
			return -1
		}
		if equalFold(data[start:start+len(r.piece)], r.piece) {
			return start
		}
		from += i + 1
	}
	return -1
}

// equalFold reports whether s equals the lower-case text, ignoring case of ASCII letters.
func equalFold(s, lower []byte) bool {
	for i, c := range lower {
		d := s[i]
		if d != c && (c < 'a' || c > 'z' || d|0x20 != c) {
			return false
		}
	}
	return true
}

// Len returns the length of the piece in bytes.
func (r *Raw) Len() int { return len(r.piece) }
