package inspector

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// cells are the characters that a terminal shows. They understand the control sequences that a painter
// writes, and take every character as one cell wide.
type cells struct {
	rows [][]rune
	x, y int
	rest []byte // the beginning of a sequence or a character
}

func newCells(w, h int) cells {
	c := cells{rows: make([][]rune, h)}
	for y := range c.rows {
		c.rows[y] = []rune(strings.Repeat(" ", w))
	}
	return c
}

// write takes output.
func (c *cells) write(p []byte) {
	b := append(c.rest, p...)
	for len(b) > 0 {
		n := 1
		switch {
		case b[0] == 0x1b:
			if n = c.sequence(b); n == 0 {
				c.rest = append([]byte(nil), b...)
				return
			}
		case b[0] == '\r':
			c.x = 0
		case b[0] == '\n':
			c.y++
		case !utf8.FullRune(b):
			c.rest = append([]byte(nil), b...)
			return
		default:
			var r rune
			r, n = utf8.DecodeRune(b)
			c.clear(c.x, c.x+1, r)
			c.x++
		}
		b = b[n:]
	}
	c.rest = nil
}

// clear sets the cells of the line of the cursor from from to to.
func (c *cells) clear(from, to int, r rune) {
	if c.y < 0 || c.y >= len(c.rows) {
		return
	}
	for x := max(from, 0); x < min(to, len(c.rows[c.y])); x++ {
		c.rows[c.y][x] = r
	}
}

// sequence takes the control sequence at the beginning of b and returns its length, or 0 if it is not whole.
func (c *cells) sequence(b []byte) int {
	if len(b) < 2 || b[1] != '[' {
		return min(len(b), 2)
	}
	n := 2
	for n < len(b) && (b[n] < 0x40 || b[n] > 0x7e) {
		n++
	}
	if n == len(b) {
		return 0
	}
	first, second, _ := strings.Cut(string(b[2:n]), ";")
	one, two := atLeast1(first), atLeast1(second)
	switch b[n] {
	case 'H':
		c.y, c.x = one-1, two-1
	case 'G':
		c.x = one - 1
	case 'X':
		c.clear(c.x, c.x+one, ' ')
	case 'C':
		c.x += one
	case 'A':
		c.y = max(c.y-one, 0)
	case 'K':
		from, to := c.x, 1<<20
		if first == "2" {
			from = 0
		}
		c.clear(from, to, ' ')
	case 'J':
		from := c.y
		if first == "2" {
			from = 0
		}
		for y := from; y < len(c.rows); y++ {
			c.rows[y] = []rune(strings.Repeat(" ", len(c.rows[y])))
		}
	}
	return n + 1
}

// atLeast1 returns the number of a parameter, 1 if it is missing.
func atLeast1(s string) int {
	n, _ := strconv.Atoi(s)
	return max(n, 1)
}

// contains reports whether a line shows a text.
func (c *cells) contains(text string) bool { return strings.Contains(c.String(), text) }

// String returns the lines.
func (c *cells) String() string {
	lines := make([]string, len(c.rows))
	for y, r := range c.rows {
		lines[y] = string(r)
	}
	return strings.Join(lines, "\n")
}

func TestCells(t *testing.T) {
	c := newCells(10, 3)
	c.write([]byte("\x1b[2J\x1b[1;3Habc\x1b[2"))
	c.write([]byte("H\x1b[0;38;2;1;2;3mxyz…\x1b[2G\x1b[2X\x1b[3Hend\x1b[2G\x1b[K"))
	if got, want := c.String(), "  abc     \nx  …      \ne         "; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
