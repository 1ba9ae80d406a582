package source

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// simpleEscapes are what stands behind a backslash in JSON for one character.
var simpleEscapes = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// unquote is the text of a JSON string, in one pass. It does what is common; ok is
// false for what is no JSON string, and for halves of characters, broken UTF-8 and
// space around the string, which encoding/json is to judge.
func unquote(raw []byte) (text string, ok bool) {
	last := len(raw) - 1
	if last < 1 || raw[0] != '"' || raw[last] != '"' || !utf8.Valid(raw) {
		return "", false
	}
	var b strings.Builder
	b.Grow(last)
	from := 1
	for i := 1; i < last; i++ {
		c := raw[i]
		if c == '"' || c < ' ' {
			return "", false
		}
		if c != '\\' {
			continue
		}
		b.Write(raw[from:i])
		i++ // the closing quote at the latest
		if c = raw[i]; c == 'u' && i+4 < last {
			r, err := strconv.ParseUint(string(raw[i+1:i+5]), 16, 16)
			if err != nil || utf16.IsSurrogate(rune(r)) {
				return "", false
			}
			b.WriteRune(rune(r))
			i += 4
		} else if c = simpleEscapes[c]; c != 0 && i < last {
			b.WriteByte(c)
		} else {
			return "", false
		}
		from = i + 1
	}
	b.Write(raw[from:last])
	return b.String(), true
}
