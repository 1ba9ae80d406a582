package safe

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentlens/internal/redact"
)

// visible makes a text harmless to a terminal and honest to a reader: C0
// controls become the pictures of U+2400, other controls and characters without
// width or with power over direction a mark such as ‹U+202E›, broken UTF-8
// U+FFFD. Newlines and tabs stay, and joiners and variation selectors where a script
// or an emoji needs one.
func visible(s string) string { return rewrite(s, func(r rune) (string, bool) { return mark(r) }) }

// visibleLine is visible on one line.
func visibleLine(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return rewrite(s, func(r rune) (string, bool) {
		switch r {
		case '\n':
			return "⏎", true
		case '\t':
			return " ", true
		}
		return mark(r)
	})
}

// rewrite replaces the characters for which to returns true.
func rewrite(s string, to func(rune) (string, bool)) string {
	var b strings.Builder
	from := 0
	for i := 0; i < len(s); {
		if c := s[i]; c >= ' ' && c < 0x7f {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if (r == zwj || r == zwnj) && joins(s[:i], s[i+size:]) {
			i += size
			continue
		}
		if (r == textStyle || r == emojiStyle) && styled(s[:i]) {
			i += size
			continue
		}
		if r == blackFlag {
			i += size + tags(s[i+size:])
			continue
		}
		repl, ok := to(r)
		if r == utf8.RuneError && size == 1 {
			repl, ok = "\uFFFD", true
		}
		if ok {
			b.WriteString(s[from:i])
			b.WriteString(repl)
			from = i + size
		}
		i += size
	}
	if from == 0 {
		return s
	}
	b.WriteString(s[from:])
	return b.String()
}

// The joiners: they show nothing, and decide how their neighbours are written.
const (
	zwnj = 0x200c
	zwj  = 0x200d
)

// The selectors that say whether the character before them is drawn as text or as a
// picture.
const (
	textStyle  = 0xfe0e
	emojiStyle = 0xfe0f
)

// blackFlag begins the flag of a part of a country, such as England: letters that
// show nothing of themselves follow it, and an end.
const blackFlag = 0x1f3f4

// tags is the length of the tags at the beginning of s that make a flag of the black
// flag before them (UTS 51: a code of ISO 3166-2, which has at most six letters and
// digits). Others only hide.
func tags(s string) int {
	const most, end = 6, 0xe007f
	n := 0
	for i, r := range s {
		switch {
		case r == end && n > 0:
			return i + utf8.RuneLen(r)
		case n == most, !(r >= 0xe0030 && r <= 0xe0039 || r >= 0xe0061 && r <= 0xe007a):
			return 0
		}
		n++
	}
	return 0
}

// joins reports whether a joiner between before and after does what it is for:
// it stands between two letters of a script that is written with joiners, or
// between two pictures. Elsewhere it only hides.
func joins(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	pictures := pictured(last) || last == emojiStyle && styled(strings.TrimSuffix(before, string(last)))
	return cursive(last) && cursive(next) || pictures && pictured(next)
}

// styled reports whether a text ends with a character that has two styles: a symbol or
// an emoji, or what a keycap is made of (Unicode's emoji-variation-sequences.txt, whose
// symbols are taken by their blocks).
func styled(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	switch {
	case r < 0x80:
		return r >= '0' && r <= '9' || r == '#' || r == '*'
	case r == '©', r == '®', r == '‼', r == '⁉', r == '〰', r == '〽', r == '㊗', r == '㊙':
		return true
	}
	return r >= 0x2100 && r < 0x2c00 && (unicode.IsSymbol(r) || r == 'ℹ') || pictured(r)
}

// cursive reports whether r is a letter or mark of the scripts of Asia and
// Africa whose letters take forms by their neighbours: Arabic to Sinhala, Khmer,
// Mongolian.
func cursive(r rune) bool {
	return (r >= 0x0600 && r < 0x0e00 || r >= 0x1000 && r < 0x10a0 || r >= 0x1780 && r < 0x18b0) && (unicode.IsLetter(r) || unicode.IsMark(r))
}

// pictured reports whether r is an emoji.
func pictured(r rune) bool {
	return r >= 0x2190 && r < 0x2c00 && unicode.Is(unicode.So, r) || r >= 0x1f000 && r < 0x1fb00
}

func mark(r rune) (string, bool) {
	switch {
	case r == '\n' || r == '\t':
		return "", false
	case r < ' ':
		return string('␀' + r), true
	case r == 0x7f:
		return "␡", true
	case unseen(r):
		return fmt.Sprintf("‹U+%04X›", r), true
	}
	return "", false
}

// unseen reports whether a character beyond ASCII shows nothing of itself, or
// moves others.
func unseen(r rune) bool { return r >= 0x80 && redact.Unseen(r) }
