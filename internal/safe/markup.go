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

// NoBackticks returns s with apostrophes for backticks, for a Markdown code span.
func (s Safe) NoBackticks() Safe { return Safe{strings.ReplaceAll(s.s, "`", "'")} }

// markdownLine escapes what Markdown reads as markup inside a line.
var markdownLine = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "|", `\|`, "#", `\#`,
)

// MarkdownLine returns s, a single line, escaped so that Markdown shows it unchanged.
func (s Safe) MarkdownLine() Safe { return Safe{markdownLine.Replace(s.s)} }
