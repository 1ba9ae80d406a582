package chooser

// The texts of this package that are in no key table.
const (
	nothingMatchesClose = "nothing matches; esc closes"
	nothingMatches      = "nothing matches"
)
