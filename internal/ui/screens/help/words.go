package help

// The texts of this package that are in no key table.
const (
	nothingMatches = "nothing in the help matches"
)
