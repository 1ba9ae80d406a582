package inspector

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/kit"
)

// Push opens a screen on top.
func (r *inspector) Push(o kit.Screen) {
	o.Resize(r.w, r.h)
	r.overlays = append(r.overlays, o)
}

func (r *inspector) top() kit.Screen { return r.overlays[len(r.overlays)-1] }

// Pop closes the top screen and stops its jobs.
func (r *inspector) Pop() tea.Cmd {
	r.jobs.StopOf(r.top())
	r.overlays = r.overlays[:len(r.overlays)-1]
	return nil
}

// popAll closes all screens above the panes.
func (r *inspector) popAll() {
	for len(r.overlays) > 0 {
		r.Pop()
	}
}

// paintOverlays paints the top screen and the visible lines above it.
func (r *inspector) paintOverlays() string {
	var lower [][]string
	left := r.h - 1
	for i := len(r.overlays) - 1; i >= 0 && left > 0; i-- {
		lines := r.overlays[i].Draw(r.th, r.colours, r.w, r.h)
		lines = lines[:min(len(lines), left)]
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
	l := r.writerAt(0)
	if n := len(all); n > 0 && r.longNote() {
		l.Reset(r.th, r.w, kit.NoShade)
		r.noteLine(l, 0)
		all[n-1] = l.String()
	}
	l.Reset(r.th, r.w, kit.NoShade)
	r.overlayFoot(l)
	return strings.Join(append(all, l.String()), "\n")
}

// overlayFoot paints the last line below a screen that covers the header.
func (r *inspector) overlayFoot(l *kit.LineWriter) {
	if r.reveal {
		l.Words(" REVEALED ", kit.Alarm)
	}
	if r.note != "" {
		r.lastNoteLine(l)
		return
	}
	r.top().Foot(l, r.screen())
}
