package inspection

import (
	"context"

	"agentlens/internal/curate"
	"agentlens/internal/curate/models"
	"agentlens/internal/export"
	"agentlens/internal/export/request"
	"agentlens/internal/model"
	"agentlens/internal/safe"
	"agentlens/internal/trace/ground/source"
)

// Config says which run to open, where to begin, and what lens may do with it.
type Config struct {
	// Name names the source, for the header and for errors.
	Name string
	// Load reads the run. It is called outside the event loop.
	Load func(ctx context.Context, opt source.Options) (*model.Run, error)
	Gate *safe.Gate
	// Thread is the id of the first thread shown, "" for the main one. Call is its provider
	// call, 0 for the last. Chain is the first chain; "" shows the recorded view.
	Thread string
	Call   int
	Chain  string
	// Presets are the user's own.
	Presets []curate.Preset
	// Window returns the context window of a model in tokens, 0 when unknown; nil knows no
	// model. A recorded window wins over it, and WindowSaid, the user's own value, over both.
	Window     func(model string) int64
	WindowSaid int64
	// Prices returns the prices of a model; nil knows none.
	Prices func(model string) models.Prices
	// Runner runs the programs of a chain; nil runs none. Mask masks secrets in what a
	// program is given, unless Unmasked, and in texts that a chain cuts.
	Runner   curate.Runner
	Mask     curate.Mask
	Unmasked bool
	// Open reads another run, named as lens show names it, to compare with this one. The
	// caller calls done after the last use. Nil disables the comparison.
	Open func(ctx context.Context, name string) (run *model.Run, done func(), err error)
	// Export writes a run or a view to a new file, redacted. It leaves no file when ctx ends
	// first. Nil disables exports.
	Export func(ctx context.Context, work *export.Document, form export.Format, path string) (Exported, error)
	// Keep adds a chain to the user's settings as a preset and returns the path of the
	// settings. Nil disables it.
	Keep func(name, chain string) (path string, err error)
}

// Exported reports what was written: the path, the level of redaction, the number of masked
// secrets, and what the format could not carry over.
type Exported struct {
	Path, Level string
	Masked      int
	Lost        []request.Loss
}
