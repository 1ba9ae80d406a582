package jsontext

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
)

// Readable is a JSON object or array in which characters stand as themselves: 漢
// for \u6f22, < for \u003c, / for \/. Line breaks, tabs, quotes and backslashes
// stay escaped, so that it reads as JSON. What is no JSON stays as it is.
func Readable(doc string) string { return resolved(doc, false) }

// Spoken is a JSON object or array with every escape in its strings resolved: no
// JSON any more, but what the strings say.
func Spoken(doc string) string { return resolved(doc, true) }

// resolved replaces the escapes of a JSON document; backslashes stand nowhere in
// one but in its strings.
func resolved(doc string, all bool) string {
	at := strings.IndexByte(doc, '\\')
	if at < 0 || !IsDocument(doc) {
		return doc
	}
	var b strings.Builder
	b.Grow(len(doc))
	from := 0
	for ; at >= 0; at = nextEscape(doc, from) {
		r, size := escaped(doc[at:])
		b.WriteString(doc[from:at])
		if all && r >= 0 || r >= 0 && !strings.ContainsRune("\"\\\n\r\t\b\f", r) {
			b.WriteRune(r)
		} else {
			b.WriteString(doc[at : at+size])
		}
		from = at + size
	}
	b.WriteString(doc[from:])
	return b.String()
}

func nextEscape(doc string, from int) int {
	i := strings.IndexByte(doc[from:], '\\')
	if i < 0 {
		return -1
	}
	return from + i
}

// escaped reads the escape that begins a piece of valid JSON: the character it
// stands for, -1 for half a surrogate pair, and how many bytes it has.
func escaped(s string) (r rune, size int) {
	const short, meant = `"\/nrtbf`, "\"\\/\n\r\t\b\f"
	if i := strings.IndexByte(short, s[1]); i >= 0 {
		return rune(meant[i]), 2
	}
	r = fourHex(s)
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if pair := utf16.DecodeRune(r, fourHex(s[6:])); pair != 0xfffd {
		return pair, 12
	}
	return -1, 6
}

// fourHex is the number of an escape \uXXXX, -1 where s begins with none.
func fourHex(s string) rune {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(s[2:6], 16, 32)
	if err != nil {
		return -1
	}
	return rune(n)
}

// IsDocument reports whether a text is a JSON object or array.
func IsDocument(text string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	return text != "" && (text[0] == '{' || text[0] == '[') && json.Valid([]byte(text))
}
