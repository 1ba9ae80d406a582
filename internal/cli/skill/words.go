package skill

// The messages of this package are listed here for review.
const (
	unknownCommand  = "unknown command %q: use install or uninstall; without one, lens skill prints the skill"
	unknownAgent    = "invalid --agent %q: use one of %s"
	noPlace         = "HOME is not set: use --project to install the skill in this project"
	nothingToChange = "nothing to change: %s\n"
	runAgain        = "\nNothing was changed. To change this: the same command with --yes\n"
	changed         = "lens: changed %s\n"
	changedWithCopy = "lens: changed %s; a copy of the file before is %s\n"
)
