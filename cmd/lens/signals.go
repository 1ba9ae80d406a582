package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// A signalled is why a command was ended from outside.
type signalled struct{ by syscall.Signal }

func (s signalled) Error() string { return "ended by a signal: " + s.by.String() }

// untilSignal returns a context that ends when lens is told to end: by an interrupt,
// by kill or timeout, by a terminal that closes. A second signal ends lens whatever
// it does. exit makes the exit code of a command: 128 and the number of the signal
// when one came, as of a program that a signal ended.
func untilSignal() (ctx context.Context, exit func(code int) int) {
	ctx, cancel := context.WithCancelCause(context.Background())
	came := make(chan os.Signal, 1)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) { // as nohup has it
			signal.Notify(came, s)
		}
	}
	go func() {
		s := <-came
		signal.Stop(came)
		by, _ := s.(syscall.Signal)
		cancel(signalled{by})
	}()
	return ctx, func(code int) int {
		var why signalled
		if errors.As(context.Cause(ctx), &why) {
			return 128 + int(why.by)
		}
		return code
	}
}
