package change

// The messages of this package are listed here for review.
const (
	notAFile     = "%s is not a regular file: lens does not change it"
	tooLarge     = "%s has %d bytes; lens changes files of at most %d"
	changedSince = "%s has changed in the meantime: run the command again"
	noBackup     = "no free name for a copy of %s: remove its old copies (*.bak)"
)
