package export

import (
	"strings"

	"agentlens/internal/safe"
)

// areLong is long for a text in parts.
func areLong(parts []safe.Safe) bool {
	size, lines := 0, 0
	for _, p := range parts {
		size += len(p.String())
		lines += strings.Count(p.String(), "\n")
		if size > openBytes || lines > openLines {
			return true
		}
	}
	return false
}

// sizeOfParts returns the number of lines of a text in parts, without empty lines at its end, and that of its characters.
func sizeOfParts(parts []safe.Safe) (lines, characters int) {
	lines = 1
	ended := 0 // newlines at the end so far
	for _, p := range parts {
		text := p.String()
		characters += p.Characters()
		if rest := strings.TrimRight(text, "\n"); rest != "" {
			lines += ended + strings.Count(rest, "\n")
			ended = len(text) - len(rest)
		} else {
			ended += len(text)
		}
	}
	return lines, characters
}

// beginning returns the beginning of a text in parts: firstBytes, or as far as the end of the first line that has words.
func beginning(parts []safe.Safe) string {
	var b strings.Builder
	words := false
	for _, p := range parts {
		text := p.String()
		for line := range strings.Lines(text[:min(len(text), firstBytes-b.Len())]) {
			b.WriteString(line)
			if words = words || hasWords(strings.TrimSpace(line)); words && strings.HasSuffix(line, "\n") {
				return b.String()
			}
		}
	}
	return b.String()
}
