package jsontext

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math/bits"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Text decodes a JSON string. ok is false if raw is anything else. White space may follow the string.
func Text(raw []byte) (s string, ok bool) {
	if raw = bytes.TrimRight(raw, Space); len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return "", false
	}
	last := len(raw) - 1
	if end := plain(raw, 1); end == last {
		s = string(raw[1:last])
	} else if s, ok = unescape(raw[:last], end); !ok {
		return "", false
	}
	if !utf8.ValidString(s) { // rare: encoding/json replaces the invalid characters
		err := json.Unmarshal(raw, &s)
		return s, err == nil
	}
	return s, true
}

// Pieces passes the text that [Text] returns to yield, piece by piece, which must not keep them. ok is false if raw is not
// a JSON string; yield may have received the text before the fault.
func Pieces(raw []byte, yield func(piece []byte)) (ok bool) {
	body := bytes.TrimRight(raw, Space)
	if len(body) < 2 || body[0] != '"' || body[len(body)-1] != '"' {
		return false
	}
	if !utf8.Valid(raw) {
		text, ok := Text(raw)
		yield([]byte(text))
		return ok
	}
	body = body[:len(body)-1]
	char := make([]byte, 0, utf8.UTFMax)
	for from := 1; ; {
		i := plain(body, from)
		if yield(body[from:i]); i == len(body) {
			return true
		}
		var r rune
		if r, from, ok = escape(body, i); body[i] != '\\' || !ok {
			return false
		}
		yield(utf8.AppendRune(char, r)) // -1 becomes U+FFFD
	}
}

// Bytes is [Text] with the text as bytes.
func Bytes(raw []byte) (text []byte, ok bool) {
	body := bytes.TrimRight(raw, Space)
	if len(body) < 2 || body[0] != '"' || body[len(body)-1] != '"' {
		return nil, false
	}
	body = body[:len(body)-1]
	text = make([]byte, 0, len(body)-1)
	for from := 1; ; {
		i := plain(body, from)
		if text = append(text, body[from:i]...); i == len(body) {
			break
		}
		var r rune
		if r, from, ok = escape(body, i); body[i] != '\\' || !ok {
			return nil, false
		}
		text = utf8.AppendRune(text, r) // -1 becomes U+FFFD
	}
	if !utf8.Valid(text) {
		s, ok := Text(raw)
		return []byte(s), ok
	}
	return text, true
}

// TextIn is [Text] in the memory of raw, which it overwrites. ok is also false for a string that is not valid UTF-8; raw
// is changed then only if it is no JSON string.
func TextIn(raw []byte) (text []byte, ok bool) {
	last := len(raw) - 1
	if last < 1 || raw[0] != '"' || raw[last] != '"' || !utf8.Valid(raw) {
		return nil, false
	}
	to := plain(raw[:last], 1)
	for from := to; from < last; {
		if raw[from] != '\\' {
			return nil, false
		}
		var r rune
		if r, from, ok = escape(raw[:last], from); !ok {
			return nil, false
		}
		to = len(utf8.AppendRune(raw[:to], r)) // at most as long as the escape; -1 becomes U+FFFD
		end := plain(raw[:last], from)
		to += copy(raw[to:], raw[from:end])
		from = end
	}
	return raw[1:to], true
}

// Unquote decodes the JSON string at span of buf. It returns "" if the string is absent or invalid. A string
// without escapes may contain control characters.
func Unquote(buf []byte, span Span) string {
	if text, ok := Plain(buf, span); ok {
		return string(text)
	}
	text, _ := Text(buf[span.Start:span.End])
	return text
}

// Plain returns the bytes between the quotes of the JSON string at span of buf. ok reports whether these bytes are
// the decoded text, that is, valid UTF-8 without escapes.
func Plain(buf []byte, span Span) (text []byte, ok bool) {
	if span.Len() < 2 {
		return nil, false
	}
	text = buf[span.Start+1 : span.End-1]
	return text, bytes.IndexByte(text, '\\') < 0 && utf8.Valid(text)
}

// StringEnd returns the offset after the JSON string that begins at offset i of text. If the string does not end,
// it returns the length of text.
func StringEnd[T string | []byte](text T, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// unescape decodes a string without its closing quote. i is the offset of the first byte that needs decoding.
func unescape(raw []byte, i int) (text string, ok bool) {
	var b strings.Builder
	b.Grow(len(raw) - 1)
	for from := 1; ; {
		b.Write(raw[from:i])
		if i == len(raw) || raw[i] != '\\' {
			return b.String(), i == len(raw)
		}
		var r rune
		if r, from, ok = escape(raw, i); !ok {
			return "", false
		}
		b.WriteRune(r) // -1 becomes U+FFFD
		i = plain(raw, from)
	}
}

// plain returns the offset of the first quote, backslash or control character at or after i. It examines eight
// bytes at a time, and more in a long text.
func plain(data []byte, i int) int {
	const short = 64
	for long := i + short; i+8 <= len(data); i += 8 {
		if i == long {
			if i = pass(data, i); i+8 > len(data) {
				break
			}
		}
		if found := special(binary.LittleEndian.Uint64(data[i:])); found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for i < len(data) && data[i] != '"' && data[i] != '\\' && data[i] >= ' ' {
		i++
	}
	return i
}

// pass returns the offset after the blocks of 32 bytes from i on without a special byte.
func pass(data []byte, i int) int {
	for ; i+32 <= len(data); i += 32 {
		block := data[i : i+32]
		if special(binary.LittleEndian.Uint64(block))|special(binary.LittleEndian.Uint64(block[8:]))|
			special(binary.LittleEndian.Uint64(block[16:]))|special(binary.LittleEndian.Uint64(block[24:])) != 0 {
			break
		}
	}
	return i
}

// special returns a word whose lowest bit is in the first byte of word that is a quote, a backslash or a control
// character, or 0 if there is none.
func special(word uint64) uint64 {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	quote, back := word^('"'*ones), word^('\\'*ones)
	// The top bit of a byte is set if the byte is zero or below a space. Only the lowest such bit is reliable;
	// bits above it may be carries.
	found := ((quote - ones) &^ quote) | ((back - ones) &^ back) | ((word - ' '*ones) &^ word)
	return found & tops
}

// shortEscapes maps the letter after a backslash to the escaped character.
var shortEscapes = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// escape decodes the escape whose backslash is at i. r is -1 for half a surrogate pair. end is the offset after
// the escape, or the offset of the invalid byte.
func escape(data []byte, i int) (r rune, end int, ok bool) {
	if i++; i == len(data) {
		return 0, i, false
	}
	if c := data[i]; c != 'u' {
		if r = rune(shortEscapes[c]); r == 0 {
			return 0, i, false
		}
		return r, i + 1, true
	}
	if r, end, ok = fourHex(data, i+1); !ok || !utf16.IsSurrogate(r) {
		return r, end, ok
	}
	if bytes.HasPrefix(data[end:], []byte(`\u`)) {
		low, after, whole := fourHex(data, end+2)
		if pair := utf16.DecodeRune(r, low); whole && pair != utf8.RuneError {
			return pair, after, true
		}
	}
	return -1, end, true
}

// Escapes reports whether every backslash of data begins a JSON escape.
func Escapes(data []byte) bool {
	for i := 0; ; {
		next := bytes.IndexByte(data[i:], '\\')
		if next < 0 {
			return true
		}
		var ok bool
		if _, i, ok = escape(data, i+next); !ok {
			return false
		}
	}
}

// fourHex reads four hexadecimal digits. end is the offset after them, or the offset of the invalid byte.
func fourHex(data []byte, i int) (r rune, end int, ok bool) {
	for end = i; end < i+4; end++ {
		if end == len(data) {
			return 0, end, false
		}
		digit := Hex(data[end])
		if digit < 0 {
			return 0, end, false
		}
		r = r<<4 | digit
	}
	return r, end, true
}

// Hex returns the value of a hexadecimal digit, or -1.
func Hex(c byte) rune {
	switch {
	case '0' <= c && c <= '9':
		return rune(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10
	}
	return -1
}

// TextLen returns the length in bytes of the text that [Text] returns, without decoding it.
func TextLen(raw []byte) (n int, ok bool) {
	if raw = bytes.TrimRight(raw, Space); len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return 0, false
	}
	body := raw[:len(raw)-1]
	for from := 1; ; {
		i := plain(body, from)
		if n += i - from; i == len(body) {
			break
		}
		var r rune
		if body[i] != '\\' {
			return 0, false
		}
		if r, from, ok = escape(body, i); !ok {
			return 0, false
		}
		n += utf8.RuneLen(max(r, 0))
		if r < 0 {
			n += utf8.RuneLen(utf8.RuneError) - 1
		}
	}
	if !utf8.Valid(raw) {
		text, ok := Text(raw)
		return len(text), ok
	}
	return n, true
}

// StoredLen returns the length of the beginning of stored whose text has n bytes. Stored is a JSON string without its
// opening quote. ok is false if no such beginning exists. The text is valid UTF-8.
func StoredLen(stored []byte, n int) (size int, ok bool) {
	for at := 0; ; {
		next := bytes.IndexByte(stored[at:], '\\')
		if next < 0 {
			next = len(stored) - at
		}
		if n <= next {
			return at + n, true
		}
		if at, n = at+next, n-next; at == len(stored) {
			return 0, false
		}
		var r rune
		if r, at, ok = escape(stored, at); !ok {
			return 0, false
		}
		if r < 0 {
			r = utf8.RuneError
		}
		if n -= utf8.RuneLen(r); n < 0 {
			return 0, false
		}
	}
}
