// Package term connects a Bubble Tea v1 program to the terminal. It works around four
// faults of Bubble Tea v1: frames tear, an idle screen costs time, answers of the terminal count as
// keys, and the program continues after the terminal is gone.
//
// The package must never draw or handle a key.
package term

import (
	"context"
	"errors"
	"os"

	tea "github.com/charmbracelet/bubbletea"

	_ "agentlens/internal/ui/bg" // must be initialised before Bubble Tea; see package bg
)

// idleFrames is the number of frames that Bubble Tea compares in a second: as few as it accepts. The
// frames of the model are painted by a [painter].
const idleFrames = 1

// ErrHungUp reports that the terminal is gone.
var ErrHungUp = errors.New("the terminal went away")

// Run shows a model on a terminal until the user quits, and then restores the terminal. The
// error is [ErrHungUp], context.Canceled after an interrupt or the end of ctx, or a failure
// of the terminal. The caller handles signals and ends ctx.
func Run(ctx context.Context, m tea.Model, in *KeyReader, out *os.File, noMouse bool) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	gone := func() { stop(ErrHungUp) }
	screen := newScreenWriter(out)
	in.gone, screen.gone = gone, gone
	opts := []tea.ProgramOption{
		tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(screen), tea.WithoutSignalHandler(),
		tea.WithAltScreen(), tea.WithFPS(idleFrames),
	}
	if !noMouse {
		opts = append(opts, tea.WithMouseCellMotion())
	}
	painter := newPainter(screen)
	go painter.run(ctx)
	p := tea.NewProgram(framed{m, painter}, opts...)
	for _, c := range in.typedAhead() {
		go p.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{c}})
	}
	_, err := p.Run()
	switch {
	case errors.Is(context.Cause(ctx), ErrHungUp):
		return ErrHungUp
	case errors.Is(err, tea.ErrInterrupted), ctx.Err() != nil && errors.Is(err, tea.ErrProgramKilled):
		return context.Canceled
	}
	return err
}
