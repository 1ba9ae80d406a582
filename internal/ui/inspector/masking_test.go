package inspector

import (
	"errors"
	"testing"
)

// :mask masks a value by hand on the whole screen; i says why it is masked.
func TestMaskAValue(t *testing.T) {
	with := func(c *Config) {
		c.MaskValue = func(value string) (bool, error) {
			if value == "no" {
				return false, errors.New("the value is too short")
			}
			c.Gate.Known().Add(value, "by-hand")
			return true, nil
		}
	}
	d := open(t, 120, 36, with).Press("2", "0", "G").Shows("▎│ 20 user", "day 5")
	d.Press(":").Type("mask on day 5").Press("enter").Shows("masked by hand, here and in every run", "[REDACTED:by-hand:").Lacks("on day 5")
	d.Press("i").Shows("masked", "by-hand · 1 place: you masked it by hand").Press("esc")
	d.Press(":").Type("mask no").Press("enter").Shows("not masked: the value is too short")
	open(t, 120, 36).Press(":").Type("mask xyzw").Shows("values cannot be masked by hand")
}
