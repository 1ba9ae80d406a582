package main

import (
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"agentlens/internal/cli/failure"
)

func TestSignals(t *testing.T) {
	for _, c := range []struct {
		by   syscall.Signal
		want int
	}{{syscall.SIGINT, failure.ExitInterrupted}, {syscall.SIGTERM, 143}, {syscall.SIGHUP, 129}} {
		if signal.Ignored(c.by) { // ignored under nohup: stays ignored
			continue
		}
		ctx, exit := untilSignal()
		if got := exit(failure.ExitFound); got != failure.ExitFound || ctx.Err() != nil {
			t.Errorf("before %s: exit %d, %v", c.by, got, ctx.Err())
		}
		self, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = self.Signal(c.by)
		}
		if err != nil {
			t.Skip("no signals here: ", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(10 * time.Second):
			t.Fatalf("%s ended nothing", c.by)
		}
		for _, code := range []int{failure.ExitOK, failure.ExitInterrupted} {
			if got := exit(code); got != c.want {
				t.Errorf("%s: exit %d, want %d", c.by, got, c.want)
			}
		}
	}
}
