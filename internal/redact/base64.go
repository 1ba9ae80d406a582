package redact

import (
	"encoding/base64"
	"encoding/hex"
	"strings"

	"agentlens/internal/redact/bytesets"
)

const (
	minBase64 = 24
	maxBase64 = 1 << 20 // longer runs are files, not secrets
)

// eachEncoded calls yield for every run of base64 or of hexadecimal digits that decodes to printable text.
func eachEncoded(text string, yield func(start, end int, decoded string)) {
	for start, end := base64Bytes.Run(text, 0, minBase64); start < len(text); start, end = base64Bytes.Run(text, end, minBase64) {
		if end-start <= maxBase64 {
			tail := end
			for tail < len(text) && tail-end < 2 && text[tail] == '=' {
				tail++
			}
			if decoded, ok := decodeText(text[start:end]); ok {
				yield(start, tail, decoded)
			}
		}
		if end-start >= minHex { // hexadecimal digits are digits of base64
			eachHex(text[start:end], func(from, to int, decoded string) { yield(start+from, start+to, decoded) })
		}
	}
}

// isBase64 reports whether c belongs to the standard or the URL-safe alphabet of base64
// (RFC 4648).
func isBase64(c byte) bool { return base64Bytes.Has(c) }

var base64Bytes = bytesets.New(func(c byte) bool { return isWord(c) || c == '+' || c == '/' || c == '-' })

// decodeText returns the printable text at the beginning of what a run encodes. The rest may be damaged. ok is false if
// it is too short to hold a secret.
func decodeText(run string) (text string, ok bool) {
	enc := base64.RawStdEncoding
	if strings.ContainsAny(run, "-_") {
		enc = base64.RawURLEncoding
	}
	var first [12]byte
	if n, err := enc.Decode(first[:], []byte(run[:16])); err != nil || !printable(first[:n]) {
		return "", false
	}
	if len(run)%4 == 1 {
		run = run[:len(run)-1]
	}
	decoded, _ := enc.DecodeString(run) // up to an error
	decoded = decoded[:printableTo(decoded)]
	return string(decoded), len(decoded) >= min(minDecoded, len(run)*3/4)
}

// minDecoded is the least printable text of a damaged run, in bytes. Random bytes are printable up to there once in 10¹³.
const minDecoded = 32

func printable(b []byte) bool { return printableTo(b) == len(b) }

// printableTo returns the offset of the first byte of b that is no printable ASCII character, or the length of b.
func printableTo(b []byte) int {
	for i, c := range b {
		if (c < 0x20 || c > 0x7e) && c != '\n' && c != '\r' && c != '\t' {
			return i
		}
	}
	return len(b)
}

const minHex = 32 // digits

// eachHex calls yield for every run of hexadecimal digits that decodes to printable text.
func eachHex(text string, yield func(start, end int, decoded string)) {
	for i := minHex - 1; i < len(text); {
		if !isHexDigit(text[i]) {
			i += minHex // every run that ends before here is too short
			continue
		}
		start, end := i, i+1
		for start > 0 && i-start < minHex && isHexDigit(text[start-1]) {
			start--
		}
		for end < len(text) && isHexDigit(text[end]) {
			end++
		}
		if n := end - start; n >= minHex && n%2 == 0 && n <= maxBase64 {
			if decoded, err := hex.DecodeString(text[start:end]); err == nil && printable(decoded) {
				yield(start, end, string(decoded))
			}
		}
		i = end + minHex
	}
}

func isHexDigit(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }
