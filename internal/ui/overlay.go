package ui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// An overlay covers the screen, or the lower part of it, and takes all keys but
// ctrl+c. What it asks for with then happens once it is gone.
type overlay interface {
	key(r *root, k tea.KeyMsg) (done bool, then func() tea.Cmd)
	click(r *root, x, y int) (done bool, then func() tea.Cmd)
	wheel(n int)
	resize(w, h int)
	// render paints lines of w cells, h of them at most: with fewer, what is
	// behind stays in sight above.
	render(th *theme, c *colours, w, h int) []string
	// uncoloured lists what has to be coloured for what it shows.
	uncoloured(c *colours) []colouring
}

func (r *root) push(o overlay) {
	o.resize(r.w, r.h)
	r.overlays = append(r.overlays, o)
}

func (r *root) top() overlay { return r.overlays[len(r.overlays)-1] }

// overlayKey gives a key to the overlay on top.
func (r *root) overlayKey(k tea.KeyMsg) tea.Cmd {
	if k.String() == "ctrl+c" {
		return r.closeOverlay(true, nil)
	}
	return r.closeOverlay(r.top().key(r, k))
}

// closeOverlay takes the overlay on top away when it is done.
func (r *root) closeOverlay(done bool, then func() tea.Cmd) tea.Cmd {
	if done {
		r.overlays = r.overlays[:len(r.overlays)-1]
	}
	if then == nil {
		return nil
	}
	return then()
}

// paintOverlays paints the overlay on top, and what it leaves in sight.
func (r *root) paintOverlays() string {
	var lower [][]string
	left := r.h
	for i := len(r.overlays) - 1; i >= 0 && left > 0; i-- {
		lines := r.overlays[i].render(r.th, r.colours, r.w, r.h)
		if over := len(lines) - left; over > 0 {
			lines = lines[:left]
		}
		lower = append(lower, lines)
		left -= len(lines)
	}
	var all []string
	if left > 0 {
		all = strings.Split(r.paintPanes(), "\n")[:left]
	}
	for i := len(lower) - 1; i >= 0; i-- {
		all = append(all, lower[i]...)
	}
	if r.note != "" && len(all) > 0 {
		l := r.linerAt(0)
		l.reset(r.th, r.w, noShade)
		r.noteLine(l)
		all[len(all)-1] = l.String()
	}
	return strings.Join(all, "\n")
}
