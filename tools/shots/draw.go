package main

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"slices"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// A theme gives the colours of text that sets none. Its pictures are made only if it is requested or usual is
// set.
type theme struct {
	name                   string
	usual                  bool
	background, foreground color.RGBA
}

var (
	night = [2]color.RGBA{{13, 17, 23, 255}, {201, 209, 217, 255}}
	day   = [2]color.RGBA{{255, 255, 255, 255}, {31, 35, 40, 255}}
	black = [2]color.RGBA{{0, 0, 0, 255}, {255, 255, 255, 255}}
)

var themes = []theme{
	{"dark", true, night[0], night[1]},
	{"light", true, day[0], day[1]},
	{"high-contrast", false, black[0], black[1]},
	{"colour-blind", false, night[0], night[1]},
	{"none", false, night[0], night[1]},
}

// A typeface draws characters into cells of one size.
type typeface struct {
	font.Face
	w, h, ascent int // pixels
}

// openFont reads a TrueType font for letters of em pixels.
func openFont(path string, em float64) (*typeface, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	parsed, err := opentype.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("font %s: %w", path, err)
	}
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: em, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		return nil, fmt.Errorf("font %s: %w", path, err)
	}
	advance, _ := face.GlyphAdvance('0')
	m := face.Metrics()
	return &typeface{face, advance.Round(), (m.Ascent + m.Descent).Round(), m.Ascent.Round()}, nil
}

// draw draws a screen as a terminal with this theme would.
func (f *typeface) draw(screen *vt.SafeEmulator, th theme) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, width*f.w, height*f.h))
	draw.Draw(img, img.Bounds(), image.NewUniform(th.background), image.Point{}, draw.Src)
	for y := range height {
		for x := range width {
			if c := screen.CellAt(x, y); c != nil {
				f.cell(img, x, y, c, th)
			}
		}
	}
	return img
}

func (f *typeface) cell(img *image.RGBA, x, y int, c *uv.Cell, th theme) {
	fg, bg := color.Color(th.foreground), color.Color(th.background)
	if c.Style.Fg != nil {
		fg = c.Style.Fg
	}
	if c.Style.Bg != nil {
		bg = c.Style.Bg
	}
	if c.Style.Attrs&uv.AttrReverse != 0 {
		fg, bg = bg, fg
	}
	at := image.Pt(x*f.w, y*f.h)
	if bg != th.background {
		cell := image.Rectangle{at, at.Add(image.Pt(max(c.Width, 1)*f.w, f.h))}
		draw.Draw(img, cell, image.NewUniform(bg), image.Point{}, draw.Src)
	}
	f.glyph(img, image.Rectangle{at, at.Add(image.Pt(max(c.Width, 1)*f.w, f.h))}, c.Content, color.RGBAModel.Convert(fg).(color.RGBA))
}

// levels is the number of steps between the colours of a character and its background. Few steps keep the
// colours of rare characters among the 256 of the picture.
const levels = 4

// glyph draws a character into a cell.
func (f *typeface) glyph(img *image.RGBA, cell image.Rectangle, content string, fg color.RGBA) {
	mask := image.NewAlpha(cell)
	d := font.Drawer{Dst: mask, Src: image.Opaque, Face: f, Dot: fixed.P(cell.Min.X, cell.Min.Y+f.ascent)}
	d.DrawString(content)
	for y := cell.Min.Y; y < cell.Max.Y; y++ {
		for x := cell.Min.X; x < cell.Max.X; x++ {
			n := (int(mask.AlphaAt(x, y).A)*levels + 127) / 255
			if n == 0 || !image.Pt(x, y).In(img.Rect) {
				continue
			}
			bg := img.RGBAAt(x, y)
			mix := func(a, b uint8) uint8 { return uint8((int(a)*(levels-n) + int(b)*n) / levels) }
			img.SetRGBA(x, y, color.RGBA{mix(bg.R, fg.R), mix(bg.G, fg.G), mix(bg.B, fg.B), 255})
		}
	}
}

// writePNG writes a picture with its 256 most frequent colours.
func writePNG(path string, img *image.RGBA) error {
	count := map[color.RGBA]int{}
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			count[img.RGBAAt(x, y)]++
		}
	}
	all := make([]color.RGBA, 0, len(count))
	for c := range count {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b color.RGBA) int { return count[b] - count[a] })
	var few color.Palette
	for _, c := range all[:min(256, len(all))] {
		few = append(few, c)
	}
	out := image.NewPaletted(img.Rect, few)
	draw.Draw(out, out.Rect, img, image.Point{}, draw.Src)
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(file, out); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}
