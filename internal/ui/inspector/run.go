package inspector

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"

	"agentlens/internal/curate"
	"agentlens/internal/curate/models"
	"agentlens/internal/export"
	"agentlens/internal/export/request"
	"agentlens/internal/model"
	"agentlens/internal/safe"
	"agentlens/internal/trace/ground/source"
	"agentlens/internal/ui/job"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/term"
)

// Crash is a fault of lens itself.
type Crash = job.Crash

// Config is what the inspector opens and how.
type Config struct {
	// Name is what is being opened, for the header and for errors.
	Name string
	// Load reads the run; it is called in the background.
	Load func(ctx context.Context, opt source.Options) (*model.Run, error)
	// Changed waits until the source has changed, and then Load is called anew;
	// false means that it never will. Nil follows nothing.
	Changed func(ctx context.Context) bool
	Gate    *safe.Gate
	// Thread is the id of the thread to begin with, "" for the main one. Call
	// is its provider call, 0 for the last. Chain is the chain to begin with; ""
	// shows the recorded view, or where there is none a what-if that says so.
	Thread string
	Call   int
	Chain  string
	// Presets are the user's own.
	Presets []curate.Preset
	// Window gives the context window of a model in tokens, 0 when unknown; nil
	// knows none. What the record tells of a call wins over it, and WindowSaid, what
	// a person said it is, over both.
	Window     func(model string) int64
	WindowSaid int64
	// Prices gives those of a model; nil knows none.
	Prices func(model string) models.Prices
	// Runner runs the programs that a chain names, once the chain is typed to its
	// end; nil runs none. Mask takes the secrets out of what they are given, unless
	// Unmasked, and out of what is cut out of texts.
	Runner   curate.Runner
	Mask     curate.Mask
	Unmasked bool
	// Theme is one of [Themes], or [OwnTheme] where there is a Palette.
	Theme   string
	Palette *kit.Palette
	// Save writes a text a person copied to a new file and returns its path; it is
	// called only when they ask for it. Nil: there is no such thing.
	Save func(text safe.Safe) (path string, err error)
	// Open reads another run, by the names that lens show takes, to hold this one
	// against; done is called when it is not needed any more. Nil: there is no such
	// thing.
	Open func(ctx context.Context, name string) (run *model.Run, done func(), err error)
	// Export writes a run or a view to a new file, redacted; it is called only when they
	// ask for it, and leaves no file behind when ctx ends first. Nil: there is no such
	// thing.
	Export func(ctx context.Context, work *export.Document, form export.Format, path string) (Exported, error)
	// Keep adds a chain to the person's settings, as a preset of that name, and returns
	// the path of the settings; it is called only when they ask for it. Nil: there is no
	// such thing.
	Keep func(name, chain string) (path string, err error)
	// Listed says that the run was chosen from a list, which esc goes back to.
	Listed  bool
	In, Out *os.File
	NoMouse bool
}

// Exported says what was written: where, at what level of redaction, how many secrets
// were masked, and what the form did not carry over.
type Exported struct {
	Path, Level string
	Masked      int
	Lost        []request.Loss
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
