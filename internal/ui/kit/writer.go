// Package kit is what screens are made of: the line writer and the theme, wrapping and
// lists, key tables and inputs, and what screens and their program know of each other.
//
// A [Screen] covers the panes. The program that shows it is its [Host]; what a screen cannot
// do by itself it hands over as an [Intent]. Text of a record is safe.Safe, that of lens is
// [Words]; a [LineWriter] takes nothing else.
//
// The package must never read a run, and knows no screen.
package kit

import (
	"strconv"
	"strings"

	"agentlens/internal/safe"
	"agentlens/internal/ui/highlight"
	"agentlens/internal/ui/text"
)

// Words are lens's own text: see [safe.Words].
type Words = safe.Words

// Gated makes words of what may quote a record, or a person's settings: of a chain, or
// an error.
func Gated(gate *safe.Gate) func(s string) Words {
	return func(s string) Words { return gate.Words(OneLine(s)) }
}

// A LineWriter paints one line of at most a given number of cells. What does not fit
// is cut, with an ellipsis in the last cell.
type LineWriter struct {
	th    *Theme
	b     []byte
	Left  int // cells left
	col   int // column of the screen that is painted next, from 0
	Shade Shade
	style Style
	dirty bool // a style is on
	full  bool // something was cut

	Origin int // column of the screen where lines begin
	pin    text.Pin

	Hinted []hintSpan // the hints that were painted
}

func (l *LineWriter) Reset(th *Theme, width int, sh Shade) {
	l.th, l.b, l.Left, l.Shade, l.style, l.dirty, l.full = th, l.b[:0], width, sh, Plain, false, false
	l.col, l.Hinted = l.Origin, l.Hinted[:0]
	if sh != NoShade {
		l.Sgr(Plain)
	}
}

// On paints what follows on another shade, in a style.
func (l *LineWriter) On(sh Shade, st Style) {
	l.Shade = sh
	l.Sgr(st)
}

func (l *LineWriter) Sgr(st Style) {
	l.b = append(l.b, l.th.Sgr[l.Shade][st]...)
	l.style, l.dirty = st, true
}

func (l *LineWriter) use(st Style) {
	if st != l.style {
		l.Sgr(st)
	}
}

// Words paints words of lens.
func (l *LineWriter) Words(w Words, st Style) { l.Put(string(w), st) }

// Typed paints what the person at the keyboard types, of an [Input]: its control
// characters are visible already, and nothing redacts it.
func (l *LineWriter) Typed(s string, st Style) { l.Put(s, st) }

// Safe paints text of a record.
func (l *LineWriter) Safe(s safe.Safe, st Style) { l.Put(s.String(), st) }

// Span paints bytes from to to of a text of a record.
func (l *LineWriter) Span(s safe.Safe, from, to int, st Style) { l.Put(s.String()[from:to], st) }

// Number paints n.
func (l *LineWriter) Number(n int, st Style) { l.Put(strconv.Itoa(n), st) }

// Blank paints n blanks.
func (l *LineWriter) Blank(n int) {
	const blanks = "                                                                "
	for n > 0 && l.Left > 0 {
		k := min(n, l.Left, len(blanks))
		l.use(plainOn(l.style))
		l.b = append(l.b, blanks[:k]...)
		l.Left -= k
		l.col += k
		n -= k
	}
}

// plainOn keeps a style that shows on a blank from running on.
func plainOn(st Style) Style {
	switch st {
	case Found, MatchHere, Alarm, Caret:
		return Plain
	}
	return st
}

// To paints blanks until only n cells are left.
func (l *LineWriter) To(n int) { l.Blank(l.Left - n) }

func (l *LineWriter) Put(s string, st Style) {
	if s == "" || l.full || l.Left <= 0 {
		l.full = l.full || s != ""
		return
	}
	n, w := text.Fit(s, l.Left)
	l.use(st)
	if n == len(s) {
		l.text(s, w)
		return
	}
	n, w = text.Fit(s, l.Left-1)
	l.text(s[:n], w)
	l.text("…", 1)
	l.full = true
}

// text paints s, which takes w cells. Where terminals differ over the width of a
// cluster its cells are cleared before it is drawn and the cursor is put behind
// them, so that whatever a terminal makes of it, the rest stands where it should.
// Blanks make up for what Bubble Tea, which goes by the tables, would find missing.
func (l *LineWriter) text(s string, w int) {
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
	l.Left -= w
	l.col += w
}

// control appends the control sequence of one number n and a final byte: X clears
// n cells, G goes to column n.
func control(b []byte, n int, final byte) []byte {
	return append(strconv.AppendInt(append(b, "\x1b["...), int64(n), 10), final)
}

// Within paints with f into the next width cells and fills what f leaves of them.
func (l *LineWriter) Within(width int, f func()) {
	width = min(max(width, 0), l.Left)
	rest := l.Left - width
	l.Left, l.full = width, false
	f()
	l.To(0)
	l.Left, l.full = rest, false
}

// Found paints s like put, with the places where needle occurs marked.
func (l *LineWriter) Found(s string, st Style, n *Needle, here bool) {
	l.Coloured(s, st, 0, nil, n, here)
}

// Coloured paints s like found, in the colours of spans. Bytes count from base at
// the beginning of s. What is searched for wins over colours.
func (l *LineWriter) Coloured(s string, st Style, base int, spans []highlight.Span, n *Needle, here bool) {
	if n == nil && len(spans) == 0 {
		l.Put(s, st)
		return
	}
	mark := Found
	if here {
		mark = MatchHere
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
func (l *LineWriter) piece(s string, from, to int, st Style) {
	if from == to || l.full {
		return
	}
	part := s[from:to]
	if n, w := text.Fit(part, l.Left); to < len(s) && n == len(part) && w == l.Left {
		part += "…"
	}
	l.Put(part, st)
}

// String ends the line, filled to its width.
func (l *LineWriter) String() string {
	l.To(0)
	if l.dirty {
		l.b = append(l.b, "\x1b[0m"...)
	}
	return string(l.b)
}

// ShortFigure is Figure without a fraction of zero: 128k, not 128.0k.
func ShortFigure(n int64) Words {
	switch {
	case n >= 1_000_000 && n%1_000_000 == 0:
		return Int(int(n/1_000_000)) + "M"
	case n >= 1000 && n%1000 == 0:
		return Int(int(n/1000)) + "k"
	}
	return Figure(n)
}

// Figure writes a count in at most five characters: 310, 12.0k, 176k, 1.2M.
func Figure(n int64) Words { return safe.Short(n) }

// Int writes a number in all its digits.
func Int(n int) Words { return safe.Int(n) }

// About is figure with a ~ before an estimate.
func About(n int64, exact bool) Words {
	if exact {
		return Figure(n)
	}
	return "~" + Figure(n)
}

// Plural is "1 message", "2 messages".
func Plural(n int, one Words) Words { return safe.Plural(n, one) }

// Repeat returns n copies of w.
func Repeat(w Words, n int) Words { return safe.Repeat(w, n) }

// A Tag is a badge as it is painted.
type Tag struct {
	Text Words
	St   Style
}

func Arrow(open bool) Words {
	if open {
		return "▾"
	}
	return "▸"
}

func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
