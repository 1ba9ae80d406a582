package curate

import "context"

// registry lists every strategy. A new one is a file with its row, and a line here.
func registry() []Row {
	return []Row{
		passthroughRow(),
		preserveRow(),
		slidingWindowRow(),
		headTailRow(),
		lastTurnsRow(),
		truncateTurnsRow(),
		truncateTokensRow(),
		summarizeRow(),
		tokenBudgetRow(),
		truncateToolResultsRow(),
		keepActiveToolsRow(),
		clearToolUsesRow(),
		clearThinkingRow(),
		maskObservationsRow(),
		pruneToolOutputsRow(),
		dropToolCallsRow(),
		collapseToolGroupsRow(),
		filterRow(),
		keepTextRow(),
		compactTurnsRow(),
		compactRow(),
		keepRelevantRow(),
		repairRow(),
		renderTemplateRow(),
		execRow(),
		taskStepsRow(),
	}
}

// rows returns the registry by name.
func rows() map[string]Row {
	rows := map[string]Row{}
	for _, r := range registry() {
		rows[r.Name] = r
	}
	return rows
}

// Language returns the chain language with every strategy and preset.
func language() *Language {
	l := &Language{Presets: Presets()}
	for _, r := range registry() {
		l.Strategies = append(l.Strategies, r.Spec)
	}
	return l
}

// Specs describes every strategy.
func Specs() []Spec { return language().Strategies }

// Parse reads a chain. The error, if any, is a [*SyntaxError].
func Parse(text string) (Chain, error) { return language().Parse(text, nil) }

// ParseWith is [Parse] with presets of the user's.
func ParseWith(text string, own []Preset) (Chain, error) { return language().Parse(text, own) }

// CheckNewPreset returns what is wrong with the name of a new preset, or nil.
func CheckNewPreset(name string) error { return language().CheckNewPreset(name) }

// Replay runs a chain over every provider call of in.Thread, and over the next one
// after the record.
func Replay(ctx context.Context, in Input, c Chain) (*Replayed, error) {
	parts, err := Build(ctx, in, c)
	if err != nil {
		return nil, err
	}
	return replayParts(ctx, in, c, parts)
}
