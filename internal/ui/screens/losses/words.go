package losses

// The texts of this package that are in no key table.
const (
	noRows = "no rows"
)
