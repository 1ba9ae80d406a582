package tokens

import (
	"math/bits"
	"unicode/utf8"
)

// Runes returns the number of code points of a text, as [utf8.RuneCountInString] does.
func Runes(text string) int {
	n := 0
	for text != "" {
		if end := asciiLen(text); end > 0 {
			n, text = n+end, text[end:]
			continue
		}
		_, size := utf8.DecodeRuneInString(text)
		n, text = n+1, text[size:]
	}
	return n
}

// asciiLen returns the length of the ASCII characters at the beginning of a text. It examines eight bytes at a time.
func asciiLen(text string) int {
	const tops = 0x8080808080808080
	i := 0
	for ; i+8 <= len(text); i += 8 {
		t := text[i : i+8]
		word := uint64(t[0]) | uint64(t[1])<<8 | uint64(t[2])<<16 | uint64(t[3])<<24 | uint64(t[4])<<32 | uint64(t[5])<<40 | uint64(t[6])<<48 | uint64(t[7])<<56
		if word &= tops; word != 0 {
			return i + bits.TrailingZeros64(word)/8
		}
	}
	for i < len(text) && text[i] < utf8.RuneSelf {
		i++
	}
	return i
}
