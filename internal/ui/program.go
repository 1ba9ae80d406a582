package ui

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	tea "github.com/charmbracelet/bubbletea"
)

// Stopped ends a screen from outside: a signal asked for it, or the terminal went away,
// which is told as the hangup that the system sends then.
type Stopped struct{ Signal syscall.Signal }

func (s Stopped) Error() string { return "ended by a signal: " + s.Signal.String() }

// ExitCode is the exit code that shells expect of a program that ended so.
func (s Stopped) ExitCode() int { return 128 + int(s.Signal) }

// endingSignals are those that end a screen. An interrupt is the caller's, who ends the
// context.
var endingSignals = []os.Signal{syscall.SIGTERM, syscall.SIGHUP}

// runScreen shows a model on a terminal until it is left, and leaves the terminal as it
// was. The error is [Stopped], that of the context when an interrupt ended it, or a
// fault of the terminal.
func runScreen(ctx context.Context, m tea.Model, in *keyReader, out *os.File, noMouse bool) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	defer onSignal(func(s syscall.Signal) { stop(Stopped{s}) })()
	in.gone = func() { stop(Stopped{syscall.SIGHUP}) }
	screen := newScreenWriter(out)
	screen.gone = in.gone
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
	var stopped Stopped
	switch {
	case errors.As(context.Cause(ctx), &stopped):
		return stopped
	case errors.Is(err, tea.ErrInterrupted), ctx.Err() != nil && errors.Is(err, tea.ErrProgramKilled):
		return context.Canceled
	}
	return err
}

// onSignal calls f when one of endingSignals comes, until off is called. A signal that
// whoever started the program had it ignore stays ignored.
func onSignal(f func(syscall.Signal)) (off func()) {
	came, done := make(chan os.Signal, 1), make(chan struct{})
	for _, s := range endingSignals {
		if !signal.Ignored(s) {
			signal.Notify(came, s)
		}
	}
	go func() {
		select {
		case s := <-came:
			if s, ok := s.(syscall.Signal); ok {
				f(s)
			}
		case <-done:
		}
	}()
	return func() {
		signal.Stop(came)
		close(done)
	}
}
