package uitest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"os"
	"slices"
)

// A Font draws characters from a TrueType file of a fixed width. It reads outlines
// and character numbers only, as far as pictures of screens need them.
type Font struct {
	glyf, loca, cmap []byte
	long             bool    // loca has offsets of four bytes
	scale            float64 // pixels per unit
	ascent           float64 // pixels from the top of a cell to the baseline
	// W and H are the size of a cell in pixels.
	W, H int
}

// OpenFont reads a font for letters of so many pixels to the em.
func OpenFont(path string, em float64) (f *Font, err error) {
	defer func() { // of tables that are cut short
		if p := recover(); p != nil {
			err = fmt.Errorf("font %s: %v", path, p)
		}
	}()
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	tables := map[string][]byte{}
	for i := range int(u16(data[4:])) {
		entry := data[12+16*i:]
		tables[string(entry[:4])] = data[u32(entry[8:]):][:u32(entry[12:])]
	}
	head, hhea := tables["head"], tables["hhea"]
	if head == nil || hhea == nil || tables["glyf"] == nil {
		return nil, errors.New("font " + path + ": a TrueType font with outlines was expected")
	}
	f = &Font{glyf: tables["glyf"], loca: tables["loca"], long: u16(head[50:]) == 1, scale: em / float64(u16(head[18:]))}
	f.ascent = float64(s16(hhea[4:])) * f.scale
	f.H = int(math.Round(f.ascent - float64(s16(hhea[6:]))*f.scale))
	f.W = int(math.Round(float64(u16(tables["hmtx"])) * f.scale))
	for i, cmap := 0, tables["cmap"]; i < int(u16(cmap[2:])); i++ {
		if sub := cmap[u32(cmap[4+8*i+4:]):]; u16(sub) == 4 {
			f.cmap = sub
		}
	}
	if f.cmap == nil {
		return nil, errors.New("font " + path + ": no table of characters of form 4")
	}
	return f, nil
}

func u16(b []byte) uint16 { return binary.BigEndian.Uint16(b) }
func s16(b []byte) int16  { return int16(u16(b)) }
func u32(b []byte) uint32 { return binary.BigEndian.Uint32(b) }

// glyph is the number of the glyph of a character, 0 for none.
func (f *Font) glyph(c rune) int {
	n := int(u16(f.cmap[6:])) // twice the number of segments
	for i := 0; i < n; i += 2 {
		end, start := rune(u16(f.cmap[14+i:])), rune(u16(f.cmap[16+n+i:]))
		if c > end || c < start {
			continue
		}
		delta, at := int(u16(f.cmap[16+2*n+i:])), 16+3*n+i
		if off := int(u16(f.cmap[at:])); off != 0 {
			g := int(u16(f.cmap[at+off+2*int(c-start):]))
			if g == 0 {
				return 0
			}
			return (g + delta) & 0xffff
		}
		return (int(c) + delta) & 0xffff
	}
	return 0
}

type point struct {
	x, y float64
	on   bool
}

// outline gives the closed lines of a glyph, in units, moved by dx and dy.
func (f *Font) outline(glyph int, dx, dy float64, depth int) (lines [][]point) {
	from, to := f.place(glyph), f.place(glyph+1)
	if from == to || depth > 4 {
		return nil
	}
	g := f.glyf[from:to]
	if n := int(s16(g)); n >= 0 {
		return simple(g, n, dx, dy)
	}
	for at, more := 10, true; more; {
		flags, part := u16(g[at:]), int(u16(g[at+2:]))
		more = flags&0x20 != 0
		var x, y float64
		if at += 4; flags&1 != 0 {
			x, y = float64(s16(g[at:])), float64(s16(g[at+2:]))
			at += 4
		} else {
			x, y = float64(int8(g[at])), float64(int8(g[at+1]))
			at += 2
		}
		switch { // scales are passed over
		case flags&0x08 != 0:
			at += 2
		case flags&0x40 != 0:
			at += 4
		case flags&0x80 != 0:
			at += 8
		}
		lines = append(lines, f.outline(part, dx+x, dy+y, depth+1)...)
	}
	return lines
}

func (f *Font) place(glyph int) int {
	if f.long {
		return int(u32(f.loca[4*glyph:]))
	}
	return 2 * int(u16(f.loca[2*glyph:]))
}

// simple reads the points of a glyph of n outlines.
func simple(g []byte, n int, dx, dy float64) (lines [][]point) {
	if n == 0 {
		return nil
	}
	count := int(u16(g[10+2*(n-1):])) + 1
	at := 10 + 2*n
	at += 2 + int(u16(g[at:]))
	flags := make([]byte, 0, count)
	for len(flags) < count {
		c := g[at]
		at++
		flags = append(flags, c)
		if c&8 != 0 {
			for range g[at] {
				flags = append(flags, c)
			}
			at++
		}
	}
	axis := func(short, same byte) []float64 {
		list, v := make([]float64, count), 0
		for i := range count {
			switch {
			case flags[i]&short != 0 && flags[i]&same != 0:
				v += int(g[at])
				at++
			case flags[i]&short != 0:
				v -= int(g[at])
				at++
			case flags[i]&same == 0:
				v += int(s16(g[at:]))
				at += 2
			}
			list[i] = float64(v)
		}
		return list
	}
	xs, ys := axis(2, 16), axis(4, 32)
	first := 0
	for i := range n {
		last := int(u16(g[10+2*i:]))
		var line []point
		for j := first; j <= last; j++ {
			line = append(line, point{xs[j] + dx, ys[j] + dy, flags[j]&1 != 0})
		}
		lines = append(lines, flat(line))
		first = last + 1
	}
	return lines
}

// flat makes straight pieces of curves.
func flat(line []point) (out []point) {
	var full []point // with the points that lie between two controls
	for i, p := range line {
		q := line[(i+1)%len(line)]
		if full = append(full, p); !p.on && !q.on {
			full = append(full, point{(p.x + q.x) / 2, (p.y + q.y) / 2, true})
		}
	}
	for i, p := range full {
		if p.on {
			out = append(out, p)
			continue
		}
		a, b := full[(i+len(full)-1)%len(full)], full[(i+1)%len(full)]
		for t := 0.125; t < 1; t += 0.125 {
			out = append(out, point{(1-t)*(1-t)*a.x + 2*t*(1-t)*p.x + t*t*b.x, (1-t)*(1-t)*a.y + 2*t*(1-t)*p.y + t*t*b.y, true})
		}
	}
	return out
}

// Draw draws a character into the cell at x, y.
func (f *Font) Draw(img *image.RGBA, x, y int, c rune, fg color.Color) {
	const fine = 5 // lines per pixel
	lines := f.outline(f.glyph(c), 0, 0, 0)
	for row := -1; row < f.H+1; row++ {
		cover := make([]float64, 2*f.W+2)
		for sub := range fine {
			at := (f.ascent - float64(row) - (float64(sub)+0.5)/fine) / f.scale // in units above the baseline
			spread(cover, crossings(lines, at), f.scale)
		}
		for i, a := range cover {
			if a > 0 {
				blend(img, x+i, y+row, fg, min(a/fine, 1))
			}
		}
	}
}

// crossing is where an outline passes a height, and which way.
type crossing struct {
	x    float64
	turn int
}

func crossings(lines [][]point, at float64) (list []crossing) {
	for _, line := range lines {
		for i, p := range line {
			q, turn := line[(i+1)%len(line)], 1
			if p.y > q.y {
				p, q, turn = q, p, -1
			}
			if p.y <= at && at < q.y {
				list = append(list, crossing{p.x + (at-p.y)*(q.x-p.x)/(q.y-p.y), turn})
			}
		}
	}
	slices.SortFunc(list, func(a, b crossing) int { return int(math.Copysign(1, a.x-b.x)) })
	return list
}

// spread adds what lies within the outlines on one line to the pixels.
func spread(cover []float64, list []crossing, scale float64) {
	inside := 0
	for i := range max(len(list)-1, 0) {
		if inside += list[i].turn; inside == 0 {
			continue
		}
		a, b := max(list[i].x*scale, 0), min(list[i+1].x*scale, float64(len(cover)))
		for px := int(a); float64(px) < b; px++ {
			cover[px] += min(b, float64(px+1)) - max(a, float64(px))
		}
	}
}

func blend(img *image.RGBA, x, y int, fg color.Color, a float64) {
	if !image.Pt(x, y).In(img.Bounds()) {
		return
	}
	r, g, b, _ := fg.RGBA()
	was := img.RGBAAt(x, y)
	mix := func(old uint8, now uint32) uint8 { return uint8(float64(old)*(1-a) + float64(now>>8)*a) }
	img.SetRGBA(x, y, color.RGBA{mix(was.R, r), mix(was.G, g), mix(was.B, b), 255})
}
