package kit

// The texts of this package that are in no key table.
const (
	noEarlierSearch = "no earlier search"
	searchTooLong   = "this search is too long"
	notRegexp       = "not a regular expression"
	searchFailed    = "search in a screen"
	fromLevel       = "from level "
	onOneLine       = " on, it is on one line"
	tooLongToLayOut = "too long to lay out: its end is on one line"
	nothingToReveal = "nothing on this screen can be revealed"
	ownThemeHelp    = "the colours of your settings"
	morePart        = "more part"
	moreLine        = "more line"
	moreSection     = "more section"
)
