package inspector

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"agentlens/internal/safe"
	"agentlens/internal/ui/inspection"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/term"
)

// Config specifies what the inspector opens and how it looks.
type Config struct {
	inspection.Config
	// Changed waits for a change of the source. It returns true to load the run again, and false if
	// ctx ended. Nil disables following.
	Changed func(ctx context.Context) bool
	// ChangedAt returns when the source was changed last, as far as it was known at the last load.
	ChangedAt func() time.Time
	Follow    bool // the source is followed from the start
	// Theme is one of [kit.Themes], or [kit.OwnTheme] if a Palette is set.
	Theme   string
	Palette *kit.Palette
	// Save writes a copied text to a new file and returns its path. It is called only on the user's
	// request. Nil disables saving.
	Save func(text safe.Safe) (path string, err error)
	// Listed is set if the run was chosen from a list. esc then returns to the list.
	Listed  bool
	In, Out *os.File
	NoMouse bool
}

// spareProcessors is added to GOMAXPROCS while the inspector runs, so that keys are handled at once
// even if reading and counting use all processors.
const spareProcessors = 2

// Run shows the inspector until the user quits, and restores the terminal. It returns errors of
// loading, of the terminal or of the screen, [term.ErrHungUp], or context.Canceled after an
// interrupt or the end of ctx.
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
