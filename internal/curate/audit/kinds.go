package audit

import "context"

// The kinds of findings.
const (
	CacheBreak      = "cache_break"
	NeededLater     = "needed_later"
	InstructionLost = "instruction_lost"
	Compaction      = "compaction"
	UnrecordedEdit  = "unrecorded_edit"
	BeginsMidway    = "begins_midway"
	LargeMessage    = "large_message"
	UnusedResult    = "unused_result"
	RepeatedCall    = "repeated_call"
	FailedCall      = "failed_call"
	RefusedView     = "refused_view"
	Saving          = "saving"
)

// A kind is one kind of findings with its weight.
type kind struct {
	name string
	// share is the least weight of a finding as a share of the run's cost. It is 0 for kinds
	// that are ranked by dollars alone.
	share float64
	find  func(ctx context.Context, th *thread) ([]Finding, error)
}

// The shares of findings that weigh more than their kind.
const (
	actedAgainst = 0.50 // an instruction was lost and a later reply acted against it
	notRetried   = 0.10 // a call failed and was not tried again
)

// kinds returns all kinds, in the order in which findings of equal weight are listed.
func kinds() []kind {
	return []kind{
		{InstructionLost, 0.02, lostInstructions},
		{NeededLater, 0.20, neededLater},
		{UnrecordedEdit, 0.15, unrecordedEdits},
		{BeginsMidway, 0.15, beginnings},
		{RefusedView, 0.10, refusedViews},
		{FailedCall, 0.02, failedCalls},
		{CacheBreak, 0, cacheBreaks},
		{Compaction, 0.02, compactions},
		{LargeMessage, 0, largeMessages},
		{RepeatedCall, 0, repeatedCalls},
		{UnusedResult, 0, unusedResults},
		{Saving, 0, savings},
	}
}

// Kinds returns the names of all kinds.
func Kinds() (names []string) {
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	return names
}
