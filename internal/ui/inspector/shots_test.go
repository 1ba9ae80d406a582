package inspector

import (
	"context"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/vt"

	"agentlens/internal/curate/models"
	"agentlens/internal/demo"
	"agentlens/internal/model"
	"agentlens/internal/trace"
	"agentlens/internal/trace/source"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/uitest"
)

// TestShots makes the pictures of the README. LENS_SHOTS names a monospaced TrueType
// font, as DejaVuSansMono.ttf, to draw them with.
func TestShots(t *testing.T) {
	path := os.Getenv("LENS_SHOTS")
	if path == "" {
		t.Skip("set LENS_SHOTS to a monospaced TrueType font to make the pictures in docs anew")
	}
	font, err := uitest.OpenFont(path, 13)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(uitest.Root(t), "docs")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, shot := range []struct {
		name  string
		chain string
		keys  []string
	}{
		{"inspector", "", nil},
		{"strategy", "truncate_tool_results(1000) | head_tail(1, tail=20)", []string{"S"}},
		{"compare", "truncate_tool_results(1000) | head_tail(1, tail=20)", []string{"C", "right", "right"}},
		{"timeline", "", []string{"T"}},
		{"diff", "truncate_tool_results(1000)", []string{"d", "|", ".", ".", "."}},
	} {
		for name, th := range map[string]*kit.Theme{"dark": kit.NewTheme(false, kit.TrueColour), "light": kit.NewTheme(true, kit.TrueColour)} {
			d := openTheme(t, 130, 36, Config{Name: "demo", Gate: uitest.Gate(t), Load: loadDemo(t), Call: 35, Chain: shot.chain, Window: func(string) int64 { return 200_000 }, Prices: shotPrices}, th)
			d.Press(shot.keys...).Screen()
			writePicture(t, filepath.Join(folder, shot.name+"-"+name+".png"), picture(font, d.r.View(), 130, 36, name == "light"))
		}
	}
}

// shotPrices are those of the models of the built-in run.
func shotPrices(name string) models.Prices {
	table, err := models.New()
	if err != nil {
		return models.Prices{}
	}
	return table.Find(name).Prices
}

func loadDemo(t *testing.T) func(context.Context, source.Options) (*model.Run, error) {
	f, err := demo.Open()
	if err != nil {
		t.Fatal(err)
	}
	src, err := trace.OpenFile(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	return func(ctx context.Context, opt source.Options) (*model.Run, error) { return src.Load(ctx, "", opt) }
}

// reversed is the bit of the emulator's attributes that swaps both colours.
const reversed = 1 << 5

// picture draws a screen as a terminal would.
func picture(font *uitest.Font, screen string, w, h int, light bool) *image.RGBA {
	back, front := color.Color(color.RGBA{13, 17, 23, 255}), color.Color(color.RGBA{201, 209, 217, 255})
	if light {
		back, front = color.RGBA{255, 255, 255, 255}, color.RGBA{31, 35, 40, 255}
	}
	emu := vt.NewEmulator(w, h)
	_, _ = emu.Write([]byte(strings.ReplaceAll(screen, "\n", "\r\n")))
	img := image.NewRGBA(image.Rect(0, 0, w*font.W, h*font.H))
	draw.Draw(img, img.Bounds(), image.NewUniform(back), image.Point{}, draw.Src)
	for y := range h {
		for x := range w {
			c := emu.CellAt(x, y)
			if c == nil {
				continue
			}
			fg, bg := c.Style.Fg, c.Style.Bg
			if fg == nil {
				fg = front
			}
			if bg == nil {
				bg = back
			}
			if c.Style.Attrs&reversed != 0 {
				fg, bg = bg, fg
			}
			cell := image.Rect(x*font.W, y*font.H, (x+max(c.Width, 1))*font.W, (y+1)*font.H)
			if bg != back {
				draw.Draw(img, cell, image.NewUniform(bg), image.Point{}, draw.Src)
			}
			for _, r := range c.Content {
				if r != ' ' {
					font.Draw(img, cell.Min.X, cell.Min.Y, r, fg)
				}
				break
			}
		}
	}
	return img
}

// writePicture writes a picture with the 256 colours it has most of.
func writePicture(t *testing.T, path string, img *image.RGBA) {
	t.Helper()
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
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(f, out); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
