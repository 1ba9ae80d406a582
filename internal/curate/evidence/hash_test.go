package evidence

import (
	"math/bits"
	"strings"
	"testing"
)

// TestHasher checks that hashes of similar words differ, in about half of their bits, and with the name of the hasher.
func TestHasher(t *testing.T) {
	a, b := newHasher("a"), newHasher("b")
	seen := map[uint64]string{}
	var before uint64
	changed, all := 0, 0
	for n := range 70 {
		for _, s := range []string{strings.Repeat("x", n), strings.Repeat("x", n) + "y", "y" + strings.Repeat("x", n), strings.Repeat("\x00", n+1)} {
			h := a.of(s)
			if other, ok := seen[h]; ok && other != s {
				t.Errorf("%q and %q have one hash", s, other)
			}
			if h != newHasher("a").of(s) || h == b.of(s) {
				t.Errorf("the hash of %q does not depend on the name alone", s)
			}
			seen[h] = s
			changed, all, before = changed+bits.OnesCount64(h^before), all+64, h
		}
	}
	if share := float64(changed) / float64(all); share < 0.47 || share > 0.53 {
		t.Errorf("%.2f of the bits differ between hashes, want about half", share)
	}
}
