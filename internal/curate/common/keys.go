package common

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Keys appends a key for each word of [Phrases] to keys, and [NoWord] where a phrase ends. Words that differ by case only
// have the same key. Keys takes much less time than Phrases, but its keys are not the hashes of the table of common words.
func Keys(keys []uint64, text string) []uint64 {
	for i := 0; i < len(text); {
		if i == 0 || text[i-1] == '\n' {
			if skip := cmp.Or(Gutter(text[i:]), foundAt(text[i:])); skip > 0 {
				i += skip
				continue
			}
		}
		key, n := plainKey(text[i:])
		if end := i + n; end < len(text) && text[end] >= utf8.RuneSelf && inWord(text, end) {
			key, n = wideKey(text[i:])
		}
		if n > 0 {
			keys = append(keys, key)
			if i += n; i == len(text) {
				return keys
			}
		}
		c := text[i]
		if c == Break[1] {
			keys = append(keys, NoWord)
		}
		if i++; c == '\\' && i < len(text) && strings.IndexByte("nrt", text[i]) >= 0 {
			i++
		}
	}
	return keys
}

// NoWord is the key between words that form no phrase.
const NoWord uint64 = 0

// EachPhrase yields the end of each phrase among [Keys], in the order of [Phrases].
func EachPhrase(keys []uint64, yield func(end int)) {
	words := 0
	for i, key := range keys {
		if words++; key == NoWord {
			words = 0
		}
		if words >= PhraseWords {
			yield(i + 1)
		}
	}
}

// Join returns the key of words in a row.
func Join(words []uint64) (key uint64) {
	for _, w := range words {
		key = stir(key ^ w)
	}
	return key
}

// stir mixes the bits of a key.
func stir(key uint64) uint64 {
	high, low := bits.Mul64(key^0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93)
	return high ^ low
}

// plainKey returns the key and the length of the ASCII letters and digits at the beginning of a text. It reads eight bytes
// at a time.
func plainKey(text string) (key uint64, n int) {
	for ; n+8 <= len(text); n += 8 {
		eight := binary.LittleEndian.Uint64([]byte(text[n : n+8]))
		length := bits.TrailingZeros64(^inWords(eight)&tops) / 8
		eight |= lowers
		if length < 8 {
			return more(key, eight&(1<<(8*length)-1)), n + length
		}
		key = more(key, eight)
	}
	last, size := uint64(0), 0
	for ; n < len(text) && lowered(text[n]) != 0; n++ {
		last |= uint64(lowered(text[n])) << size
		size += 8
	}
	return more(key, last), n
}

// wideKey is [plainKey] for words with letters beyond ASCII. As in [Letter], each of them is the bytes of its number.
func wideKey(text string) (key uint64, n int) {
	last, size := uint64(0), 0
	add := func(b byte) {
		last |= uint64(b) << size
		if size += 8; size == 64 {
			key, last, size = more(key, last), 0, 0
		}
	}
	for n < len(text) && inWord(text, n) {
		if c := lowered(text[n]); c != 0 {
			add(c)
			n++
			continue
		}
		r, length := utf8.DecodeRuneInString(text[n:])
		for r = unicode.ToLower(r); r > 0; r >>= 8 {
			add(byte(r))
		}
		n += length
	}
	return more(key, last), n
}

// more adds up to eight bytes of a word to its key.
func more(key, eight uint64) uint64 {
	if eight == 0 {
		return key
	}
	return stir(key ^ eight)
}

const (
	ones   = 0x0101010101010101
	tops   = 0x80 * ones
	lowers = 0x20 * ones
)

// inWords returns the top bit of each of eight bytes that is an ASCII letter or digit. A sum with a byte below 128 has this
// bit if the byte is at least a certain one.
func inWords(eight uint64) uint64 {
	plain := eight &^ tops
	letter := plain | lowers
	letters := (letter + (0x80-'a')*ones) &^ (letter + (0x7f-'z')*ones)
	digits := (plain + (0x80-'0')*ones) &^ (plain + (0x7f-'9')*ones)
	return (letters | digits) &^ eight & tops
}
