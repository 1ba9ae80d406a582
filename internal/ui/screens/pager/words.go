package pager

// The texts of this package that are in no key table.
const (
	onlyCompaction = "only the page of a compaction has this"
	notFound       = "not found"
)
