package evidence

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A content records which kinds of characters a run contains. Those from others on need more than letters, digits and
// underscores.
type content uint16

const (
	small content = 1 << iota
	capital
	digits
	underscores
	marks
	slashes
	colons
	ats
	groups                  // a comma or an apostrophe, which are in a run between groups of three digits only
	wide                    // beyond ASCII
	opening                 // no character of a run; a sentence may begin after it
	others  = marks         // the first of those that need more
	maybe   = groups | wide // in a run if what surrounds them fits
)

// contents are the kinds of bytes. The byte joins no run if it has none.
var contents = contentsOf()

func contentsOf() (list [256]content) {
	for c := range list {
		switch {
		case 'a' <= c && c <= 'z':
			list[c] = small
		case 'A' <= c && c <= 'Z':
			list[c] = capital
		case '0' <= c && c <= '9':
			list[c] = digits
		case c >= utf8.RuneSelf:
			list[c] = wide
		case strings.IndexByte("!?\"'`*>|([{", byte(c)) >= 0:
			list[c] = opening
		}
	}
	for _, of := range []struct {
		bytes string
		kind  content
	}{{"_", underscores}, {"-.~", marks}, {"/", slashes}, {":#", colons}, {"@", ats}, {",'", groups}} {
		for _, c := range []byte(of.bytes) {
			list[c] |= of.kind
		}
	}
	return list
}

// run returns the end of the letters, digits and marks from i on, and the kinds of characters it contains. A
// comma or an apostrophe between groups of three digits belongs to a run.
func run(text string, i int) (end int, has content) {
	if end = smallEnd(text, i); end > i {
		has, i = small, end
	}
	for i < len(text) {
		kind := contents[text[i]]
		switch {
		case kind&(maybe|opening) == 0 && kind != 0:
		case kind&groups != 0 && grouped(text, i):
			kind = groups
		case kind == wide:
			r, size := utf8.DecodeRuneInString(text[i:])
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				return i, has
			}
			i += size - 1
		default:
			return i, has
		}
		has |= kind
		i++
	}
	return i, has
}

// smallEnd returns the end of the small letters from i on. It reads eight bytes at a time: a sum with a byte below 128 has
// the top bit if the byte is at least a certain one.
func smallEnd(text string, i int) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(text); i += 8 {
		eight := binary.LittleEndian.Uint64([]byte(text[i : i+8]))
		plain := eight &^ tops
		letters := (plain + (0x80-'a')*ones) &^ (plain + (0x7f-'z')*ones) &^ eight
		if rest := ^letters & tops; rest != 0 {
			return i + bits.TrailingZeros64(rest)/8
		}
	}
	for i < len(text) && 'a' <= text[i] && text[i] <= 'z' {
		i++
	}
	return i
}

// isMark reports whether a character joins words into one run.
func isMark(c byte) bool { return contents[c]&(marks|slashes|colons|ats) != 0 }
