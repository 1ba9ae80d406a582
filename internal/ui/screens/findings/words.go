package findings

// The texts of this package that are in no key table.
const (
	asRecorded      = " as recorded"
	auditFailed     = "the audit failed: lens audit says why"
	noFindings      = "no findings"
	moreFinding     = "more finding"
	noFindingsYet   = "no findings yet"
	theFinding      = "the finding"
	auditFailedWhy  = "  the audit failed: "
	noneToList      = "  no findings"
	underOnePercent = " under 1% of the cost: lens audit --all lists them"
	nNext           = "n next"
)
