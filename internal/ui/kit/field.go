package kit

import (
	"slices"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
)

// A field is a line of text with a cursor. The keys of a shell edit it.
type field struct {
	runes []rune
	at    int // index of the character at the cursor
}

func newField(s string) field {
	runes := oneLine([]rune(s))
	return field{runes, len(runes)}
}

// key handles a key.
func (f *field) key(k tea.KeyMsg) {
	end := len(f.runes)
	switch k.String() {
	case "left", "ctrl+b":
		f.at = max(f.at-1, 0)
	case "right", "ctrl+f":
		f.at = min(f.at+1, end)
	case "alt+left", "ctrl+left", "alt+b":
		f.at = f.wordStart()
	case "alt+right", "ctrl+right", "alt+f":
		f.at = f.wordEnd()
	case "home", "ctrl+a":
		f.at = 0
	case "end", "ctrl+e":
		f.at = end
	case "backspace", "ctrl+h":
		f.cut(max(f.at-1, 0), f.at)
	case "delete", "ctrl+d":
		f.cut(f.at, min(f.at+1, end))
	case "alt+backspace", "ctrl+w":
		f.cut(f.wordStart(), f.at)
	case "alt+delete", "alt+d":
		f.cut(f.at, f.wordEnd())
	case "ctrl+u":
		f.cut(0, f.at)
	case "ctrl+k":
		f.cut(f.at, end)
	default:
		typed := oneLine(k.Runes)
		f.runes = slices.Insert(f.runes, f.at, typed...)
		f.at += len(typed)
	}
}

// cut removes the characters between two indices and moves the cursor there.
func (f *field) cut(from, to int) {
	f.runes, f.at = slices.Delete(f.runes, from, to), from
}

// wordStart returns the start of the word before the cursor.
func (f *field) wordStart() int {
	i := f.at
	for i > 0 && unicode.IsSpace(f.runes[i-1]) {
		i--
	}
	for i > 0 && !unicode.IsSpace(f.runes[i-1]) {
		i--
	}
	return i
}

// wordEnd returns the end of the word after the cursor.
func (f *field) wordEnd() int {
	i := f.at
	for i < len(f.runes) && unicode.IsSpace(f.runes[i]) {
		i++
	}
	for i < len(f.runes) && !unicode.IsSpace(f.runes[i]) {
		i++
	}
	return i
}

// oneLine returns a copy of runes with spaces for tabs and line ends, and without other control characters.
func oneLine(runes []rune) []rune {
	var list []rune
	for _, r := range runes {
		switch {
		case r == '\t' || r == '\r' || r == '\n':
			list = append(list, ' ')
		case r != utf8.RuneError && !unicode.IsControl(r):
			list = append(list, r)
		}
	}
	return list
}
