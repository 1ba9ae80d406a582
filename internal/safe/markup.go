package safe

import (
	"html"
	"strings"
	"unicode"
)

// This file escapes safe text for documents.

// HTML returns s escaped for an HTML element or attribute.
func (s Safe) HTML() Safe { return Safe{html.EscapeString(s.s)} }

// TrimNewlines returns s without trailing newlines.
func (s Safe) TrimNewlines() Safe { return Safe{strings.TrimRight(s.s, "\n")} }

// OneLine returns s on one line: marks of newlines and white space become single blanks.
func (s Safe) OneLine() Safe {
	return Safe{strings.Join(strings.FieldsFunc(s.s, func(r rune) bool { return unicode.IsSpace(r) || r == '⏎' }), " ")}
}

// markdownLine escapes what Markdown reads as markup inside a line.
var markdownLine = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "|", `\|`, "#", `\#`, "~", `\~`, "&", "&amp;", "!", `\!`,
)

// MarkdownLine returns s on one line so that Markdown shows it unchanged: with its markup escaped or, if programs
// that show Markdown could make a part of it live, such as a URL, a mention or a formula, as code.
func (s Safe) MarkdownLine() Safe {
	if strings.ContainsAny(s.s, "@$#") || strings.Contains(s.s, "://") || strings.Contains(strings.ToLower(s.s), "www.") || colons(s.s) {
		return s.MarkdownCode()
	}
	return Safe{markdownLine.Replace(s.OneLine().s)}
}

// colons reports whether a text may hold the name of a picture between colons.
func colons(s string) bool {
	_, rest, _ := strings.Cut(s, ":")
	return strings.Contains(rest, ":")
}

// MarkdownCode returns s as a code span on one line, for any place but a table.
func (s Safe) MarkdownCode() Safe {
	text := s.OneLine().s
	if text == "" {
		return Safe{}
	}
	fence := strings.Repeat("`", LongestRun(text)+1)
	if text[0] == '`' || text[len(text)-1] == '`' {
		text = " " + text + " "
	}
	return Safe{fence + text + fence}
}

// MarkdownCell returns s for a cell of a table, as [Safe.MarkdownLine] does.
func (s Safe) MarkdownCell() Safe {
	text := s.MarkdownLine().s
	return Safe{strings.ReplaceAll(strings.ReplaceAll(text, `\|`, "|"), "|", `\|`)}
}

// LongestRun returns the length of the longest run of backticks in a text.
func LongestRun(text string) (longest int) {
	for {
		_, run, found := strings.Cut(text, "`")
		if !found {
			return longest
		}
		text = strings.TrimLeft(run, "`")
		longest = max(longest, 1+len(run)-len(text))
	}
}

// Wrapped returns s with its lines of more than width characters broken at blanks. The time is proportional to the
// length.
func (s Safe) Wrapped(width int) Safe {
	var b strings.Builder
	b.Grow(len(s.s) + len(s.s)/16)
	for line := range strings.Lines(s.s) {
		for {
			at := blankBefore(line, width)
			if at <= 0 {
				break
			}
			b.WriteString(line[:at])
			b.WriteByte('\n')
			line = line[at+1:]
		}
		b.WriteString(line)
	}
	return Safe{b.String()}
}

// blankBefore returns the place of the last blank in the first width characters of a line that is longer, not
// counting its indentation, or 0.
func blankBefore(line string, width int) (at int) {
	n, word := 0, false
	for i, c := range line {
		switch {
		case n > width:
			return at
		case c != ' ':
			word = word || c != '\t'
		case word:
			at = i
		}
		n++
	}
	return 0
}
