package covered

// The messages of this package are listed here for review.
const (
	threadsCovered = "lens: compared %d of %s%s: --all-threads adds up all threads\n"
	costCovered    = " (%s of %s)"
)
