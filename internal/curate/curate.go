package curate

import (
	"context"
	"slices"

	"agentlens/internal/curate/windows"

	"agentlens/internal/curate/chain"
	"agentlens/internal/curate/engine"
	"agentlens/internal/curate/evidence"
	"agentlens/internal/curate/lint"
	"agentlens/internal/curate/strategy"
	"agentlens/internal/curate/tokens"
	"agentlens/internal/model"
)

// The chain language, see package chain.
type (
	// A Chain is a list of strategies with their parameters.
	Chain = chain.Chain
	// A Stage is one strategy of a chain.
	Stage = chain.Stage
	// A Spec describes a strategy.
	Spec = chain.Spec
	// A Param describes a parameter of a strategy.
	Param = chain.Param
	// A Value is one argument.
	Value = chain.Value
	// A Preset is a named chain.
	Preset = chain.Preset
	// A SyntaxError reports an error in the text of a chain.
	SyntaxError = chain.SyntaxError
	// A BuildError reports that a valid chain cannot run on its input.
	BuildError = chain.BuildError
)

// The kinds of values and the units of amounts.
const (
	KindAmount = chain.KindAmount
	KindWord   = chain.KindWord
	KindBool   = chain.KindBool
	KindList   = chain.KindList

	None    = chain.None
	Turns   = chain.Turns
	Msgs    = chain.Msgs
	Tok     = chain.Tok
	Percent = chain.Percent
)

// The inputs and results of replays, see package engine.
type (
	// Input is the input of a replay.
	Input = engine.Input
	// Replayed is the result of running a chain over every provider call of a thread.
	Replayed = engine.Replayed
	// Sizes holds the size of every message of a thread.
	Sizes = engine.Sizes
	// Windows looks up the context windows of models, in tokens.
	Windows = windows.Windows
	// A Window is the context window at a call, with its source.
	Window = windows.Window
	// A Runner runs the programs that strategies name.
	Runner = engine.Runner
	// A Mask removes secrets from the input of programs and from text that stages quote.
	Mask = engine.Mask
)

// Evidence is the earlier content on which recorded replies are based, see package
// evidence.
type Evidence = evidence.Evidence

// Overhead is the number of tokens that every message adds to those of its content.
const Overhead = engine.Overhead

// ErrNoUsage reports that a record has too little usage for the estimator "recorded".
var ErrNoUsage = engine.ErrNoUsage

// Specs returns the descriptions of all strategies.
func Specs() []Spec { return strategy.Language().Strategies }

// Presets returns the built-in named chains.
func Presets() []Preset { return strategy.Language().Presets }

// PresetNames returns the names of the presets, the user's and the built-in ones, by their chains in normal form. Of
// several with one chain it returns the first.
func PresetNames(own []Preset) map[string]string {
	names := map[string]string{}
	for _, p := range slices.Concat(own, Presets()) {
		chain, err := ParseWith(p.Chain, own)
		if err != nil {
			continue
		}
		if text := chain.String(); names[text] == "" {
			names[text] = p.Name
		}
	}
	return names
}

// Parse parses a chain. A non-nil error is a [*SyntaxError].
func Parse(text string) (Chain, error) { return strategy.Language().Parse(text, nil) }

// ParseWith is like [Parse] but also accepts the user's presets. They override built-in
// presets and may refer to other presets.
func ParseWith(text string, own []Preset) (Chain, error) {
	return strategy.Language().Parse(text, own)
}

// CheckPresetName reports what is wrong with the name of a user's preset, given without its @.
func CheckPresetName(name string) error { return chain.CheckPresetName(name) }

// CheckNewPreset is like [CheckPresetName] but also rejects the names of built-in presets.
func CheckNewPreset(name string) error { return strategy.Language().CheckNewPreset(name) }

// Replay runs a chain over every provider call of in.Thread, and over the call that would
// follow the record. It returns a [*BuildError] if the chain cannot run on the input.
func Replay(ctx context.Context, in Input, c Chain) (*Replayed, error) {
	return strategy.Replay(ctx, in, c)
}

// Recorded replays the recorded or reconstructed views of a thread. Use [Replayed.Has] to test
// whether the view of a call is known.
func Recorded(ctx context.Context, in Input) (*Replayed, error) { return strategy.Recorded(ctx, in) }

// Guess sizes a thread immediately, from the byte lengths of its recorded texts.
func Guess(t *model.Thread) *Sizes { return engine.Guess(t) }

// Sample sizes a thread quickly by counting only some of its messages.
func Sample(ctx context.Context, run *model.Run, t *model.Thread, c tokens.Counter) (*Sizes, error) {
	return engine.Sample(ctx, run, t, c)
}

// Measure sizes a thread with a counter, without scaling.
func Measure(ctx context.Context, run *model.Run, t *model.Thread, c tokens.Counter) (*Sizes, error) {
	return engine.Measure(ctx, run, t, c)
}

// MeasureFor sizes a thread with the counter of its last model, see [engine.MeasureFor].
func MeasureFor(ctx context.Context, run *model.Run, t *model.Thread, progress func(done, all int64)) (*Sizes, error) {
	return engine.MeasureFor(ctx, run, t, progress)
}

// LedgersOf returns the ledger of every call of a thread and of the next one, see
// [engine.Ledgers]. sizes are unscaled, or those of [MeasureFor].
func LedgersOf(ctx context.Context, run *model.Run, t *model.Thread, sizes *Sizes) ([]model.Ledger, error) {
	return engine.LedgersOf(ctx, run, t, sizes)
}

// MeasureBy sizes a thread with one of the [Estimators], independently of the thread's
// model.
func MeasureBy(ctx context.Context, run *model.Run, t *model.Thread, name string) (*Sizes, error) {
	return engine.MeasureBy(ctx, run, t, name)
}

// Estimators returns the names that [MeasureBy] accepts.
func Estimators() []string { return engine.Estimators() }

// BrokenPairs counts the calls without a result and the results without a call in a view, see
// [lint.BrokenPairs].
func BrokenPairs(t *model.Thread, v *model.View) int { return lint.BrokenPairs(t, v) }

// ProblemsFor returns the problems of a view that apply to the provider of a run.
func ProblemsFor(run *model.Run, v *model.View) []model.Problem { return engine.ProblemsFor(run, v) }

// FindEvidence finds the content on which the recorded replies of a thread are based, see [evidence.Find].
func FindEvidence(ctx context.Context, run *model.Run, t *model.Thread, progress func(done, all int64)) (*Evidence, error) {
	return evidence.Find(ctx, run, t, progress)
}
