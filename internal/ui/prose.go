package ui

import (
	"encoding/json"
	"strings"

	"agentlens/internal/jsontext"
)

// This file is texts as they are shown: JSON in lines or on one line, the headings of
// a prompt.

// A section begins at a heading of a rendered prompt, at byte at of its text.
type section struct {
	at, level int
}

// head cuts s to n bytes, at a character.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

// bytesOf writes a size in bytes.
func bytesOf(n int64) words {
	if n < 1000 {
		return words(figure(n)) + " B"
	}
	return figure(n) + "B"
}

// compactArgs writes the arguments of a call on one line, q="x", n=3, where
// they are a small JSON object; else as they are.
func compactArgs(args string) string {
	if len(args) > maxPretty {
		return args
	}
	if args = jsontext.Readable(args); len(args) > 4096 || !strings.HasPrefix(strings.TrimSpace(args), "{") {
		return args
	}
	d := json.NewDecoder(strings.NewReader(args))
	if _, err := d.Token(); err != nil {
		return args
	}
	var parts []string
	for d.More() {
		key, err := d.Token()
		name, ok := key.(string)
		var value json.RawMessage
		if err != nil || !ok || d.Decode(&value) != nil {
			return args
		}
		parts = append(parts, name+"="+string(value))
	}
	return strings.Join(parts, ", ")
}

// sections finds the Markdown headings of a rendered prompt, outside of code
// fences. A text with fewer than two has none.
func sections(text string) []section {
	var list []section
	fence := false
	for at := 0; at < len(text); {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			end = len(text) - at
		}
		line := text[at : at+end]
		if strings.HasPrefix(strings.TrimLeft(line, " "), "```") {
			fence = !fence
		}
		level := 0
		for level < len(line) && line[level] == '#' {
			level++
		}
		if !fence && level > 0 && level <= 6 && level < len(line) && line[level] == ' ' {
			list = append(list, section{at, level})
		}
		at += end + 1
	}
	if len(list) < 2 {
		return nil
	}
	return list
}
