// Package term is the terminal: frames in one piece, keys without the terminal's answers
// among them, and the end of both. It cures Bubble Tea v1, which writes frames that tear,
// takes answers for keys, and goes on after the terminal is gone.
//
// The package must never draw or handle a key.
package term

import (
	"context"
	"errors"
	"os"

	tea "github.com/charmbracelet/bubbletea"

	_ "agentlens/internal/ui/bg" // before Bubble Tea, see there
)

// framesPerSecond is how often the screen may change; above the 60 of Bubble
// Tea, keys are answered sooner.
const framesPerSecond = 120

// ErrHungUp says that the terminal went away.
var ErrHungUp = errors.New("the terminal went away")

// Run shows a model on a terminal until it is left, and leaves the terminal as it
// was. The error is [ErrHungUp], context.Canceled when ctx ended or an interrupt came, or
// a fault of the terminal. Signals are the caller's, who ends ctx.
func Run(ctx context.Context, m tea.Model, in *KeyReader, out *os.File, noMouse bool) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	gone := func() { stop(ErrHungUp) }
	screen := newScreenWriter(out)
	in.gone, screen.gone = gone, gone
	opts := []tea.ProgramOption{
		tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(screen), tea.WithoutSignalHandler(),
		tea.WithAltScreen(), tea.WithFPS(framesPerSecond),
	}
	if !noMouse {
		opts = append(opts, tea.WithMouseCellMotion())
	}
	p := tea.NewProgram(m, opts...)
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
