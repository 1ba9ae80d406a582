package loose

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Text reads a JSON string; ok is false when raw is anything else.
func Text(raw []byte) (s string, ok bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return "", false
	}
	end := plain(raw, 1)
	switch {
	case end == len(raw):
		return "", false
	case raw[end] == '"':
		s = string(raw[1:end])
	default:
		if s, end = unescape(raw, end); end < 0 {
			return "", false
		}
	}
	if end+1 < len(raw) && len(bytes.TrimLeft(raw[end+1:], " \t\r\n")) > 0 {
		return "", false
	}
	if !utf8.ValidString(s) { // rare: what stands for a broken character is left to the library
		err := json.Unmarshal(raw, &s)
		return s, err == nil
	}
	return s, true
}

// unescape decodes a string whose first odd byte is at i; end is where its
// closing quote stands, or -1 where the string is broken.
func unescape(raw []byte, i int) (text string, end int) {
	var b strings.Builder
	b.Grow(len(raw) - 2)
	b.Write(raw[1:i])
	for i < len(raw) && raw[i] == '\\' {
		s := scanner{data: raw, pos: i}
		if !s.escape() {
			return "", -1
		}
		if raw[i+1] == 'u' {
			var r rune
			r, s.pos = character(raw, s.pos)
			b.WriteRune(r)
		} else {
			b.WriteByte(meaning(raw[i+1]))
		}
		i = plain(raw, s.pos)
		b.Write(raw[s.pos:i])
	}
	if i == len(raw) || raw[i] != '"' {
		return "", -1
	}
	return b.String(), i
}

// meaning is what a letter behind a backslash stands for.
func meaning(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c // itself
}

// character is what four hexadecimal digits that end at i stand for, and where
// it ends: two halves make one character, and half of one is a broken one.
func character(raw []byte, i int) (r rune, end int) {
	r = codeUnit(raw[i-4 : i])
	if !utf16.IsSurrogate(r) {
		return r, i
	}
	if second := (scanner{data: raw, pos: i}); bytes.HasPrefix(raw[i:], []byte(`\u`)) && second.escape() {
		if pair := utf16.DecodeRune(r, codeUnit(raw[i+2:i+6])); pair != utf8.RuneError {
			return pair, i + 6
		}
	}
	return utf8.RuneError, i
}

// codeUnit reads hexadecimal digits.
func codeUnit(digits []byte) (r rune) {
	for _, c := range digits {
		r = r<<4 | hex(c)
	}
	return r
}
