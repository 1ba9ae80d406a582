package ui

import (
	"strconv"
	"strings"

	"agentlens/internal/export"
	"agentlens/internal/ui/highlight"
	"agentlens/internal/ui/text"
)

// words are lens's own: constants turn into them by themselves, texts of a
// record do not. Whatever comes from a record is an [export.Safe].
type words string

// gatedBy makes words of what may quote a record, or a person's settings: of a chain, or
// an error.
func gatedBy(gate *export.Gate) func(s string) words {
	return func(s string) words { return words(gate.Line(oneLine(s)).String()) }
}

// A liner paints one line of at most a given number of cells. What does not fit
// is cut, with an ellipsis in the last cell.
type liner struct {
	th    *theme
	b     []byte
	left  int // cells left
	col   int // column of the screen that is painted next, from 0
	shade shade
	style style
	dirty bool // a style is on
	full  bool // something was cut

	origin int // column of the screen where lines begin
	pin    text.Pin

	hinted []hintSpan // the hints that were painted
}

func (l *liner) reset(th *theme, width int, sh shade) {
	l.th, l.b, l.left, l.shade, l.style, l.dirty, l.full = th, l.b[:0], width, sh, plain, false, false
	l.col, l.hinted = l.origin, l.hinted[:0]
	if sh != noShade {
		l.sgr(plain)
	}
}

// on paints what follows on another shade, in a style.
func (l *liner) on(sh shade, st style) {
	l.shade = sh
	l.sgr(st)
}

func (l *liner) sgr(st style) {
	l.b = append(l.b, l.th.sgr[l.shade][st]...)
	l.style, l.dirty = st, true
}

func (l *liner) use(st style) {
	if st != l.style {
		l.sgr(st)
	}
}

// own paints words of lens.
func (l *liner) own(w words, st style) { l.put(string(w), st) }

// safe paints text of a record.
func (l *liner) safe(s export.Safe, st style) { l.put(s.String(), st) }

// span paints bytes from to to of a text of a record.
func (l *liner) span(s export.Safe, from, to int, st style) { l.put(s.String()[from:to], st) }

// number paints n.
func (l *liner) number(n int, st style) { l.put(strconv.Itoa(n), st) }

// blank paints n blanks.
func (l *liner) blank(n int) {
	const blanks = "                                                                "
	for n > 0 && l.left > 0 {
		k := min(n, l.left, len(blanks))
		l.use(plainOn(l.style))
		l.b = append(l.b, blanks[:k]...)
		l.left -= k
		l.col += k
		n -= k
	}
}

// plainOn keeps a style that shows on a blank from running on.
func plainOn(st style) style {
	switch st {
	case found, matchHere, alarm, caret:
		return plain
	}
	return st
}

// to paints blanks until only n cells are left.
func (l *liner) to(n int) { l.blank(l.left - n) }

func (l *liner) put(s string, st style) {
	if s == "" || l.full || l.left <= 0 {
		l.full = l.full || s != ""
		return
	}
	n, w := text.Fit(s, l.left)
	l.use(st)
	if n == len(s) {
		l.text(s, w)
		return
	}
	n, w = text.Fit(s, l.left-1)
	l.text(s[:n], w)
	l.text("…", 1)
	l.full = true
}

// text paints s, which takes w cells. Where terminals differ over the width of a
// cluster its cells are cleared before it is drawn and the cursor is put behind
// them, so that whatever a terminal makes of it, the rest stands where it should.
// Blanks make up for what Bubble Tea, which goes by the tables, would find missing.
func (l *liner) text(s string, w int) {
	if l.pin == nil {
		l.pin = func(b []byte, cluster string, before, width, tables int) []byte {
			at := l.col + before + 1
			b = control(b, width, 'X')
			if tables < width {
				b = control(append(b, "      "[:min(width-tables, 6)]...), at, 'G')
			}
			return control(append(b, cluster...), at+width, 'G')
		}
	}
	l.b = text.AppendPinned(l.b, s, l.pin)
	l.left -= w
	l.col += w
}

// control appends the control sequence of one number n and a final byte: X clears
// n cells, G goes to column n.
func control(b []byte, n int, final byte) []byte {
	return append(strconv.AppendInt(append(b, "\x1b["...), int64(n), 10), final)
}

// within paints with f into the next width cells and fills what f leaves of them.
func (l *liner) within(width int, f func()) {
	width = min(max(width, 0), l.left)
	rest := l.left - width
	l.left, l.full = width, false
	f()
	l.to(0)
	l.left, l.full = rest, false
}

// found paints s like put, with the places where needle occurs marked.
func (l *liner) found(s string, st style, n *needle, here bool) {
	l.coloured(s, st, 0, nil, n, here)
}

// coloured paints s like found, in the colours of spans. Bytes count from base at
// the beginning of s. What is searched for wins over colours.
func (l *liner) coloured(s string, st style, base int, spans []highlight.Span, n *needle, here bool) {
	if n == nil && len(spans) == 0 {
		l.put(s, st)
		return
	}
	mark := found
	if here {
		mark = matchHere
	}
	for at := 0; at < len(s); {
		from, to := len(s), len(s)
		if n != nil {
			if i, j := n.Find(s[at:]); i >= 0 {
				from, to = at+i, at+j
			}
		}
		for at < from {
			end, own := from, st
			for len(spans) > 0 && int(spans[0].To)-base <= at {
				spans = spans[1:]
			}
			if len(spans) > 0 {
				if begin := int(spans[0].From) - base; begin > at {
					end = min(end, begin)
				} else {
					end, own = min(end, int(spans[0].To)-base), classStyles[spans[0].Class]
				}
			}
			l.piece(s, at, end, own)
			at = end
		}
		l.piece(s, from, to, mark)
		at = max(to, at)
	}
}

// piece paints bytes from to to of s. Where the rest of s does not fit, its last
// cell is the ellipsis, as if s was painted in one.
func (l *liner) piece(s string, from, to int, st style) {
	if from == to || l.full {
		return
	}
	part := s[from:to]
	if n, w := text.Fit(part, l.left); to < len(s) && n == len(part) && w == l.left {
		part += "…"
	}
	l.put(part, st)
}

// String ends the line, filled to its width.
func (l *liner) String() string {
	l.to(0)
	if l.dirty {
		l.b = append(l.b, "\x1b[0m"...)
	}
	return string(l.b)
}

// figure writes a count in at most five characters: 310, 12.0k, 176k, 1.2M.
func figure(n int64) words {
	switch {
	case n < 0:
		return "−" + figure(-n)
	case n < 1000:
		return words(strconv.FormatInt(n, 10))
	case n < 99_950:
		return words(strconv.FormatFloat(float64(n)/1e3, 'f', 1, 64)) + "k"
	case n < 999_500:
		return words(strconv.FormatInt((n+500)/1000, 10)) + "k"
	case n < 99_950_000:
		return words(strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64)) + "M"
	}
	return words(strconv.FormatInt(n/1e6+(n%1e6+500_000)/1e6, 10)) + "M"
}

// figureWhole writes a number in all its digits.
func figureWhole(n int) words { return words(strconv.Itoa(n)) }

// about is figure with a ~ before an estimate.
func about(n int64, exact bool) words {
	if exact {
		return figure(n)
	}
	return "~" + figure(n)
}

// plural is "1 message", "2 messages".
func plural(n int, one words) words {
	w := words(strconv.Itoa(n)) + " " + one
	if n != 1 {
		w += "s"
	}
	return w
}

func repeat(w words, n int) words { return words(strings.Repeat(string(w), max(n, 0))) }

// A tag is a badge as it is painted.
type tag struct {
	text words
	st   style
}

func arrow(open bool) words {
	if open {
		return "▾"
	}
	return "▸"
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
