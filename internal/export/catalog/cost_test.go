package catalog

import (
	"testing"

	"agentlens/internal/model"
)

func TestCost(t *testing.T) {
	for _, c := range []struct {
		known model.UsageField
		usd   float64
		want  string
	}{{0, 0, "–"}, {0, 5, "–"}, {model.UsageCost, 0, "$0.00"}, {model.UsageCost, 0.0037, "$0.0037"}, {model.UsageCost, 0.01, "$0.01"}, {model.UsageCost, 1234.5, "$1234.50"}} {
		if got := Cost(model.Usage{Known: c.known, CostUSD: c.usd}); got != c.want {
			t.Errorf("%v: %q, want %q", c.usd, got, c.want)
		}
	}
}
