package match

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"agentlens/internal/jsontext"
)

// A Raw searches undecoded JSON, to exclude files and messages quickly. Without a hit the
// decoded text has no match; a hit must be checked in the decoded text.
type Raw struct {
	piece  []byte // in lower case where fold is set
	fold   bool
	anchor int  // index in piece of the first byte of rare
	rare   pair // the two bytes of piece that are rarest in records
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
	first := rarest(piece, -1)
	second := rarest(piece, first)
	r.anchor = min(first, second)
	r.rare = newPair(piece[r.anchor], piece[max(first, second)], max(first, second)-r.anchor, m.fold)
	return r
}

// Kept returns the longest part of the text that no writer and no reader of JSON changes: without the characters that
// writers may escape, without the marks of JSON, whose spaces may differ, and without spaces at its ends. It is "" for a
// regular expression.
func (m *Matcher) Kept() string {
	best := ""
	for _, part := range strings.FieldsFunc(m.text, func(c rune) bool { return c >= utf8.RuneSelf || !plain(byte(c)) || strings.ContainsRune(",:[]{}", c) }) {
		if part = strings.Trim(part, " "); len(part) > len(best) {
			best = part
		}
	}
	return best
}

// rarest returns the index of the byte of s that is rarest in records, without the one at except unless it is the only one.
func rarest(s string, except int) int {
	best := -1
	for i := range len(s) {
		if i != except && (best < 0 || rarity(s[i]) > rarity(s[best])) {
			best = i
		}
	}
	if best < 0 {
		return except
	}
	return best
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
	unicodeEscape := newPair('\\', 'u', 1, false)
	for ; ; at++ {
		if at = unicodeEscape.index(data, at); at < 0 {
			return -1
		}
		if at+5 < len(data) && data[at+2] == '0' && data[at+3] == '0' {
			high, low := jsontext.Hex(data[at+4]), jsontext.Hex(data[at+5])
			if high >= 0 && low >= 0 && plain(byte(high<<4|low)) {
				return at
			}
		}
	}
}

// EscapeLen is the length of such an escape in bytes.
const EscapeLen = len(`\u0061`)

// Next returns the offset of the next occurrence in data from at on, or -1.
func (r *Raw) Next(data []byte, at int) int {
	for at += r.anchor; ; at++ {
		if at = r.rare.index(data, at); at < 0 {
			return -1
		}
		start := at - r.anchor
		if start+len(r.piece) > len(data) {
			return -1
		}
		if r.equal(data[start : start+len(r.piece)]) {
			return start
		}
	}
}

func (r *Raw) equal(s []byte) bool {
	if r.fold {
		return equalFold(s, r.piece)
	}
	return bytes.Equal(s, r.piece)
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
