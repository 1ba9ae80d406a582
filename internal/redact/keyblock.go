package redact

import "strings"

const (
	maxKeyBlock = 64 << 10 // bytes of a private key; larger than any in use
	maxKeyEnd   = 16 << 10 // bytes searched for an end marker
)

// keyBlockFinder finds private keys in PEM, OpenPGP armour and PuTTY form, including
// truncated ones: without an end marker, the key ends with the last line that looks like
// one. No readable regular expression describes this.
func keyBlockFinder() finder {
	return finder{id: "private-key", level: Default, words: []string{"private key", "private-lines:"}, try: keyBlock}
}

func keyBlock(s *scan, start, end int) (done int) {
	if s.text[start+len("private")] == '-' {
		return puttyKey(s, start, end)
	}
	head := strings.LastIndex(s.text[max(0, start-120):start], "-----")
	rest := s.text[end:]
	shut := strings.Index(rest[:min(len(rest), 20)], "-----")
	if head < 0 || shut < 0 {
		return 0
	}
	head += max(0, start-120)
	if label := strings.ToUpper(s.text[head:end]); !strings.Contains(label, "BEGIN") {
		return 0
	}
	body := end + shut + len("-----")
	stop := keyEnd(s.text[body:min(len(s.text), body+maxKeyBlock)]) + body
	if strings.Trim(s.text[body:stop], " \t\r\n\\nr\"'`") == "" {
		return 0 // the header alone, in a sentence or a pattern
	}
	s.add(Span{head, stop, "private-key"})
	return stop
}

// keyEnd returns the end of a key: the offset after its end marker, or the start of the first line that cannot be
// part of a key.
func keyEnd(body string) int {
	if i := strings.Index(body[:min(len(body), maxKeyEnd)], "-----END"); i >= 0 {
		i += len("-----END")
		if j := strings.Index(body[i:min(len(body), i+80)], "-----"); j >= 0 {
			return i + j + len("-----")
		}
		return i
	}
	end := 0
	for end < len(body) {
		line, next := cutLine(body[end:])
		if !keyLine(line) {
			return end + cutOff(line)
		}
		end += next
	}
	return end
}

// cutOff returns how much of the start of a line still looks like part of a key. A tool may have truncated the key
// and continued with other text on the same line.
func cutOff(line string) int {
	const least = 16
	start := skip(line, 0, " \t+", 8)
	end := start
	for end < len(line) && isBase64(line[end]) {
		end++
	}
	if end-start < least {
		return 0
	}
	return end
}

// cutLine returns the first line of s, up to a real or escaped newline. next is the offset after the newline.
func cutLine(s string) (line string, next int) {
	for i := range len(s) {
		switch {
		case s[i] == '\n':
			return s[:i], i + 1
		case s[i] == '\\' && i+1 < len(s) && (s[i+1] == 'n' || s[i+1] == 'r'):
			return s[:i], i + 2
		}
	}
	return s, len(s)
}

// keyLine reports whether a line can be part of an armoured key: nothing,
// base64, or a header such as "Proc-Type: 4,ENCRYPTED". Quotes, plus signs and
// line numbers around it come from source code, patches and tools.
func keyLine(line string) bool {
	line = strings.Trim(line, " \t\r\"'`+,;|>\\0123456789→:")
	if len(line) < 3 {
		return true
	}
	if name, _, ok := strings.Cut(line, ": "); ok {
		return strings.Contains("Proc-Type DEK-Info Comment Version Charset Hash", name)
	}
	words := 0
	for i := range len(line) {
		switch c := line[i]; {
		case isBase64(c), c == '=':
		case c == ' ':
			words++
		default:
			return false
		}
	}
	return words == 0 || len(line)/(words+1) > 24
}

// puttyKey finds a PuTTY key. The header of the key file contains the number of its lines.
func puttyKey(s *scan, start, end int) (done int) {
	body := s.text[end:min(len(s.text), end+maxKeyBlock)]
	_, at := cutLine(body)
	stop := at
	for stop < len(body) {
		line, next := cutLine(body[stop:])
		if line == "" || !keyLine(line) {
			break
		}
		stop += next
	}
	if stop == at {
		return 0
	}
	s.add(Span{end + at, end + stop, "private-key"})
	return end + stop
}
