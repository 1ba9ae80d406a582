package safe

import "strings"

// MarkdownText returns Markdown text that cannot change the document around it: HTML
// outside of code is escaped, and an open code block is closed. Where code is uncertain,
// text is treated as no code (CommonMark 0.31, GitHub tables).
func (s Safe) MarkdownText() Safe {
	if !strings.ContainsAny(s.s, "<`~") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s.s) + 16)
	open := ""      // the fence of the code block that is open
	astray := false // a run of backticks of the paragraph may end on a later line
	for line := range strings.Lines(s.s) {
		fence, info, bare := fenceOf(line)
		switch {
		case open != "":
			if bare && fence[0] == open[0] && len(fence) >= len(open) {
				open = ""
			}
			b.WriteString(line)
		case fence != "" && (fence[0] == '~' || !strings.Contains(info, "`")):
			open, astray = fence, false
			// In a list item, a block ends with the item; without indentation its end is
			// certain. Some programs take a line with a bar for the head of a table.
			b.WriteString(strings.ReplaceAll(strings.TrimLeft(line, " "), "|", "&#124;"))
		default:
			if blank(line) {
				astray = false
			}
			astray = escapeHTML(&b, line, astray)
		}
	}
	if open != "" {
		if !strings.HasSuffix(s.s, "\n") {
			b.WriteByte('\n')
		}
		b.WriteString(open)
	}
	return Safe{b.String()}
}

// fenceOf returns the run of three or more backticks or tildes after at most three spaces
// at the start of a line, and the text after it. bare reports whether that text is empty.
func fenceOf(line string) (fence, info string, bare bool) {
	rest := strings.TrimLeft(line, " ")
	if len(line)-len(rest) > 3 || rest == "" || rest[0] != '`' && rest[0] != '~' {
		return "", "", false
	}
	info = strings.TrimLeft(rest, rest[:1])
	if fence = rest[:len(rest)-len(info)]; len(fence) < 3 {
		return "", "", false
	}
	return fence, info, blank(info)
}

// blank reports whether a line, or the rest of one, is nothing but spaces and tabs. Other
// white space, such as U+00A0, is text to Markdown.
func blank(line string) bool { return strings.Trim(line, " \t\r\n") == "" }

// escapeHTML writes a line and escapes every "<" that could begin a tag or a comment outside of code spans on the
// line. astray reports that earlier backticks may pair with backticks of this line. The result is astray for the
// next line.
func escapeHTML(b *strings.Builder, line string, astray bool) bool {
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c == '\\' && i+1 < len(line) && line[i+1] == '`':
			b.WriteString("\\`")
			i += 2
		case c == '`':
			end := 0
			if !astray {
				end = codeSpan(line[i:])
			}
			if end == 0 {
				astray, end = true, backticks(line[i:])
			}
			b.WriteString(line[i : i+end])
			i += end
		case c == '<' && i+1 < len(line) && beginsHTML(line[i+1]):
			b.WriteString("&lt;")
			i++
		default:
			b.WriteByte(c)
			i++
		}
	}
	return astray
}

func beginsHTML(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || strings.IndexByte("/!?", c) >= 0
}

// backticks returns the length of the run of backticks at the start of s.
func backticks(s string) int { return len(s) - len(strings.TrimLeft(s, "`")) }

// codeSpan returns the length of the code span at the start of s. The span ends at the next run of backticks of
// the same length. codeSpan returns 0 if there is no such run, or if a table could cut the span in two.
func codeSpan(s string) int {
	n := backticks(s)
	for at := n; at < len(s); {
		i := strings.IndexByte(s[at:], '`')
		if i < 0 {
			return 0
		}
		at += i
		size := backticks(s[at:])
		if at += size; size != n {
			continue
		}
		if strings.Contains(s[:at], "|") {
			return 0
		}
		return at
	}
	return 0
}
