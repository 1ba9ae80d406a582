package catalog

import (
	"fmt"

	"agentlens/internal/model"
)

// Cost writes a recorded cost, "–" for none: in cents, and in as many digits as it
// takes where it is less than one.
func Cost(u model.Usage) string {
	switch {
	case u.Known&model.UsageCost == 0:
		return "–"
	case u.CostUSD > 0 && u.CostUSD < 0.01:
		return fmt.Sprintf("$%.4f", u.CostUSD)
	}
	return fmt.Sprintf("$%.2f", u.CostUSD)
}
