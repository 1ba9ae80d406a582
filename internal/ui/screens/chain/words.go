package chain

// The texts of this package that are in no key table.
const (
	recordedToCut     = "recorded up to a cut"
	allSent           = "all sent"
	alsoRecorded      = ", as recorded"
	notRecorded       = "not recorded"
	orphaned          = "orphaned call or result"
	noOrphaned        = "no orphaned results"
	paused            = "paused · v to apply: "
	asRecordedUnknown = "as recorded: the record does not say what was sent · showing the full history"
	asRecorded        = "as recorded"
	typeReplaces      = "type a chain to replace it · ← → edit it · backspace empties it: the record"
	strategyChain     = "strategy chain: "
	notPossible       = "not possible here, or no change"
	addTitle          = "add a stage"
	presetTitle       = "load a preset: the panes show the one under the cursor"
	notPossibleThere  = "not possible here: it must come first and only once, or there are too many stages"
	noStages          = "  no stages: a adds one, p loads a preset"
	applied           = "  applied top to bottom"
	theRecord         = "the record"
	noChainYet        = "no chain tried yet: s types one, S builds one"
	noEarlierChain    = "the record is shown: there is no earlier chain"
	newestChain       = "this is the newest chain"
)
