package highlight

import "strings"

// gutters are separators between line number and text, as cat -n and several agents print
// them.
var gutters = [...]string{"→", "\t", "| ", ": "}

// gutterLines is the number of lines that decide whether a text has line numbers.
const gutterLines = 20

// Numbered reports whether the lines of a text are numbered, as in the output of tools that
// read files.
func Numbered(text string) bool { return gutterOf(text) != "" }

// gutterOf returns the separator between line number and text, or "".
func gutterOf(text string) string {
	for _, g := range gutters {
		if numberedBy(text, g) {
			return g
		}
	}
	return ""
}

// numberedBy reports whether at least four fifths of the first lines have ascending numbers.
func numberedBy(text, gutter string) bool {
	lines, numbered, last := 0, 0, -1
	for at := 0; at < len(text) && lines < gutterLines; lines++ {
		end, next := lineAt(text, at)
		if n := cutGutter(text[at:end], gutter); n > 0 {
			if v := number(text[at:end]); v > last {
				last = v
				numbered++
			}
		}
		at = next
	}
	return numbered > 0 && numbered*5 >= lines*4
}

// signGutter is the gutter of a diff: one character, the sign of the line.
const signGutter = "±"

// gutterClass returns the class of the gutter of a line.
func gutterClass(line, gutter string) Class {
	switch {
	case gutter != signGutter:
		return Gutter
	case strings.HasPrefix(line, "+"):
		return Inserted
	case strings.HasPrefix(line, "-"):
		return Deleted
	}
	return Plain
}

// cutGutter returns the length of the line number and its separator, or 0 for a line without
// a number.
func cutGutter(line, gutter string) int {
	switch {
	case gutter == "":
		return 0
	case gutter != signGutter:
	case line != "" && strings.IndexByte("+- ", line[0]) >= 0:
		return 1
	default:
		return 0
	}
	i := skipBlanks(line, 0)
	from := i
	for i < len(line) && isDigit(line[i]) && i-from < 9 {
		i++
	}
	if i == from {
		return 0
	}
	if strings.HasPrefix(line[i:], gutter) {
		return i + len(gutter)
	}
	if line[i:] == strings.TrimRight(gutter, " ") { // an empty line without its trailing blank
		return len(line)
	}
	return 0
}

func number(line string) (n int) {
	for _, c := range []byte(strings.TrimLeft(line, " \t")) {
		if !isDigit(c) || n > 1e8 {
			break
		}
		n = n*10 + int(c-'0')
	}
	return n
}
