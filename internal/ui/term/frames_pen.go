package term

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// A pen is a style in parts, so that a change of style writes only what differs.
type pen struct {
	whole string // the sequence, which begins with a reset
	attrs string // parameters besides colours, each followed by a semicolon
	fore  string // parameters of the foreground, "39" without one
	back  string // parameters of the background, "49" without one
	blank string // sequence of what shows on a blank
	// runs is the number of runs of the pen, next the place of the next one: see byStyle.
	runs, next int
}

// The parameters of colours that are not set.
const noFore, noBack = "39", "49"

// penOf returns the pen of a style.
func (d *differ) penOf(style string) *pen {
	if p := d.pens[style]; p != nil {
		return p
	}
	if d.pens == nil {
		d.pens = map[string]*pen{}
	}
	p := newPen(style)
	d.pens[style] = p
	return p
}

// newPen splits a sequence of graphic attributes.
func newPen(style string) *pen {
	p := &pen{whole: style, fore: noFore, back: noBack}
	list := strings.Split(strings.TrimSuffix(strings.TrimPrefix(style, "\x1b["), "m"), ";")
	var shows strings.Builder
	for len(list) > 0 {
		n, param := 1, list[0]
		switch {
		case param == "38" || param == "48":
			n = min(colourParams(list), len(list))
			if part := strings.Join(list[:n], ";"); param == "38" {
				p.fore = part
			} else {
				p.back = part
			}
		case groundOf(param) == 3:
			p.fore = param
		case groundOf(param) == 4:
			p.back = param
		case param != "0" && param != "":
			p.attrs += param + ";"
			if param > "3" || len(param) > 1 {
				shows.WriteString(param + ";")
			}
		}
		list = list[n:]
	}
	p.blank = p.onBlank(shows.String())
	return p
}

// onBlank returns the sequence of what shows on a blank: the background and the attributes shows, such as
// underlines. In reverse, the foreground is the background.
func (p *pen) onBlank(shows string) string {
	parts := []string{"0"}
	if shows != "" {
		parts = append(parts, strings.TrimSuffix(shows, ";"))
		if p.fore != noFore {
			parts = append(parts, p.fore)
		}
	}
	if p.back != noBack {
		parts = append(parts, p.back)
	}
	return "\x1b[" + strings.Join(parts, ";") + "m"
}

// colourParams returns the number of parameters of the colour that begins list.
func colourParams(list []string) int {
	if len(list) > 1 && list[1] == "5" {
		return 3
	}
	return 5
}

// groundOf returns 3 for one of the sixteen colours as foreground, 4 for one as background, or 0.
func groundOf(param string) int {
	n, _ := strconv.Atoi(param)
	switch {
	case n >= 30 && n <= 37, n >= 90 && n <= 97:
		return 3
	case n >= 40 && n <= 47, n >= 100 && n <= 107:
		return 4
	}
	return 0
}

// write appends the runs line by line, or style by style if that is shorter: in 24-bit colours a style is
// longer than a move of the cursor.
func (d *differ) write(b []byte) []byte {
	before := len(b)
	b = d.inOrder(b, d.runs)
	byLine := len(b)
	if b = d.inOrder(b, d.byStyle()); len(b)-byLine < byLine-before {
		return append(b[:before], b[byLine:]...)
	}
	return b[:byLine]
}

// byStyle returns the runs ordered by pens, and those of a pen as they are. It takes time in proportion to
// the runs.
func (d *differ) byStyle() []run {
	d.used = d.used[:0]
	for i := range d.runs {
		p := d.runs[i].pen
		if p.runs == 0 {
			d.used = append(d.used, p)
		}
		p.runs++
	}
	slices.SortFunc(d.used, (*pen).compare)
	at := 0
	for _, p := range d.used {
		p.next, at = at, at+p.runs
		p.runs = 0
	}
	d.sorted = slices.Grow(d.sorted[:0], at)[:at]
	for i := range d.runs {
		p := d.runs[i].pen
		d.sorted[p.next] = d.runs[i]
		p.next++
	}
	return d.sorted
}

// inOrder appends runs and resets the style.
func (d *differ) inOrder(b []byte, runs []run) []byte {
	now := d.penOf(reset)
	y, x := 0, 0
	for i := range runs {
		r := &runs[i]
		switch {
		case r.y != y:
			b = appendMove(b, r.y, r.x)
		case r.x != x:
			b = append(strconv.AppendInt(append(b, "\x1b["...), int64(r.x+1), 10), 'G')
		}
		b = append(now.to(b, r.pen), d.text[r.from:r.to]...)
		now, y, x = r.pen, r.y, r.next
	}
	return now.to(b, d.penOf(reset))
}

// compare orders pens so that neighbours differ little.
func (p *pen) compare(o *pen) int {
	return cmp.Or(strings.Compare(p.attrs, o.attrs), strings.Compare(p.back, o.back), strings.Compare(p.fore, o.fore))
}

// to appends what changes a pen into another, or the whole style if that is shorter.
func (p *pen) to(b []byte, to *pen) []byte {
	more, ok := strings.CutPrefix(to.attrs, p.attrs)
	if !ok {
		return append(b, to.whole...)
	}
	before := len(b)
	b = append(append(b, "\x1b["...), more...)
	if p.fore != to.fore {
		b = append(append(b, to.fore...), ';')
	}
	if p.back != to.back {
		b = append(append(b, to.back...), ';')
	}
	switch {
	case len(b) == before+len("\x1b["): // nothing differs
		return b[:before]
	case len(b)-before > len(to.whole):
		return append(b[:before], to.whole...)
	}
	b[len(b)-1] = 'm'
	return b
}
