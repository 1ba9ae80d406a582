package curate

import (
	"context"

	"agentlens/internal/curate/chain"
	"agentlens/internal/curate/engine"
	"agentlens/internal/curate/evidence"
	"agentlens/internal/curate/strategy"
	"agentlens/internal/curate/tokens"
	"agentlens/internal/model"
)

// The chain language, see package chain.
type (
	Chain       = chain.Chain
	Stage       = chain.Stage
	Spec        = chain.Spec
	Param       = chain.Param
	Value       = chain.Value
	Preset      = chain.Preset
	SyntaxError = chain.SyntaxError
	BuildError  = chain.BuildError
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

// Replays and what they run over, see package engine.
type (
	Input    = engine.Input
	Replayed = engine.Replayed
	Sizes    = engine.Sizes
	Windows  = engine.Windows
	Runner   = engine.Runner
	Mask     = engine.Mask
)

// Evidence is what recorded replies rested on, see package evidence.
type Evidence = evidence.Evidence

// Overhead is the size of a message besides its text, in tokens.
const Overhead = engine.Overhead

// ErrNoUsage reports that a record has too little usage for the estimator "recorded".
var ErrNoUsage = engine.ErrNoUsage

// Specs describes every strategy.
func Specs() []Spec { return strategy.Language().Strategies }

// Presets lists the built-in named chains.
func Presets() []Preset { return strategy.Language().Presets }

// Parse reads a chain. The error, if any, is a [*SyntaxError].
func Parse(text string) (Chain, error) { return strategy.Language().Parse(text, nil) }

// ParseWith is [Parse] with presets of the user's: they win over built-in ones, and
// may use others.
func ParseWith(text string, own []Preset) (Chain, error) {
	return strategy.Language().Parse(text, own)
}

// CheckPresetName returns what is wrong with the name of a user's preset, without its
// @, or nil.
func CheckPresetName(name string) error { return chain.CheckPresetName(name) }

// CheckNewPreset is [CheckPresetName] that also rejects the names of built-in presets.
func CheckNewPreset(name string) error { return strategy.Language().CheckNewPreset(name) }

// Replay runs a chain over every provider call of in.Thread, and over the next one
// after the record. The error is a [*BuildError] where the chain cannot run on the
// input.
func Replay(ctx context.Context, in Input, c Chain) (*Replayed, error) {
	return strategy.Replay(ctx, in, c)
}

// Recorded replays the views that the record of a thread holds or implies. Use
// [Replayed.Has] to ask whether the view of a call is known.
func Recorded(ctx context.Context, in Input) (*Replayed, error) { return engine.Recorded(ctx, in) }

// Guess sizes a thread at once, from the bytes of its texts in the record.
func Guess(t *model.Thread) *Sizes { return engine.Guess(t) }

// Sample sizes a thread in little time, from a part of its texts.
func Sample(ctx context.Context, run *model.Run, t *model.Thread, c tokens.Counter) (*Sizes, error) {
	return engine.Sample(ctx, run, t, c)
}

// Measure sizes a thread with a counter. It reads every text once.
func Measure(ctx context.Context, run *model.Run, t *model.Thread, c tokens.Counter) (*Sizes, error) {
	return engine.Measure(ctx, run, t, c)
}

// MeasureFor sizes a thread as its last model counts, see [engine.MeasureFor].
func MeasureFor(ctx context.Context, run *model.Run, t *model.Thread, progress func(done, all int64)) (*Sizes, error) {
	return engine.MeasureFor(ctx, run, t, progress)
}

// MeasureBy sizes a thread by one of the [Estimators], whatever its model is.
func MeasureBy(ctx context.Context, run *model.Run, t *model.Thread, name string) (*Sizes, error) {
	return engine.MeasureBy(ctx, run, t, name)
}

// Estimators lists the names that [MeasureBy] takes.
func Estimators() []string { return engine.Estimators() }

// Count returns the tokens of a message: of its text, of the rest that is sent of it,
// and [Overhead].
func Count(c tokens.Counter, text, rest string) int { return engine.Count(c, text, rest) }

// BrokenPairs counts the calls of a view that lack their result, and the results that
// lack their call, see [engine.BrokenPairs].
func BrokenPairs(t *model.Thread, v *model.View) int { return engine.BrokenPairs(t, v) }

// ProblemsFor lists the problems of a view that the provider of a run would have with it.
func ProblemsFor(run *model.Run, v *model.View) []model.Problem { return engine.ProblemsFor(run, v) }

// FindEvidence finds what the recorded replies of a thread rested on.
func FindEvidence(ctx context.Context, run *model.Run, t *model.Thread) (*Evidence, error) {
	return evidence.Find(ctx, run, t)
}
