package args

// The messages of this package are listed here for review.
const (
	noArgument  = "%s takes no arguments, but got %q: see %s --help"
	needsRun    = "%s needs a run: a path, an id, latest, demo or -"
	takesOneRun = "%s takes one run: a path, an id, latest, demo or -"
)
