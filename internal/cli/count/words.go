package count

// The messages of this package are listed here for review.
const (
	modelOrEncoding = "--model cannot be combined with --encoding"
	sumsOrLines     = "--json cannot be combined with --jsonl"
	notAnObject     = `expected an object such as {"text":"…"}`
	noText          = `expected a "text" that is a string`
	lineTooLong     = "the line is longer than %d MB"
)
