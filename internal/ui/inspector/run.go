package inspector

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"

	"agentlens/internal/safe"
	"agentlens/internal/ui/inspection"
	"agentlens/internal/ui/job"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/term"
)

// Crash is a fault of lens itself.
type Crash = job.Crash

// Config says what the inspector opens and how it looks.
type Config struct {
	inspection.Config
	// Changed waits until the source has changed, and then the run is loaded again; it
	// returns false when the source can no longer change. Nil disables following.
	Changed func(ctx context.Context) bool
	// Theme is one of [kit.Themes], or [kit.OwnTheme] where there is a Palette.
	Theme   string
	Palette *kit.Palette
	// Save writes a copied text to a new file and returns its path. It is called only when
	// the user asks for it. Nil disables saving.
	Save func(text safe.Safe) (path string, err error)
	// Listed says that the run was chosen from a list, which esc goes back to.
	Listed  bool
	In, Out *os.File
	NoMouse bool
}

// spareProcessors is how many goroutines more may run than there are processors, so
// that a key finds one free while reading and counting take all there are: the
// system gives a thread that mostly waits its turn at once.
const spareProcessors = 2

// Run shows the inspector until it is left. The terminal is restored whatever
// happens. An error is one of reading the run, of the terminal, a fault of
// the screen itself, [ErrHungUp], or context.Canceled where ctx ended or an interrupt came.
func Run(ctx context.Context, cfg Config) error {
	if cfg.Gate == nil || cfg.Load == nil || cfg.In == nil || cfg.Out == nil {
		return errors.New("open the inspector: the gate, the load function and the terminal must be given")
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + spareProcessors))
	in := term.NewKeyReader(cfg.In)
	th := kit.ChooseTheme(cfg.Theme, cfg.Palette, in.AskLight(cfg.Out))
	r := newInspector(ctx, cfg, th)
	err := term.Run(ctx, r, in, cfg.Out, cfg.NoMouse)
	stop()
	r.writing.close()
	switch {
	case r.crash != nil:
		return r.crash
	case r.loadErr != nil:
		return r.loadErr
	case errors.Is(err, context.Canceled), errors.Is(err, term.ErrHungUp):
		return err
	case err != nil:
		return fmt.Errorf("show %s: %w", cfg.Name, err)
	}
	return nil
}
