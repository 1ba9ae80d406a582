package inspection

import (
	"strings"
	"testing"

	"agentlens/internal/ui/uitest"
)

func TestFileName(t *testing.T) {
	gate := uitest.Gate(t)
	for id, want := range map[string]string{
		"run-1": "run-1", "../../etc/passwd": "etc-passwd", "a/1/2": "1-2", "a b:c": "a_b_c", "": "run", "..": "run", "/": "run", ".hidden": "hidden", "x\x1b[31m": "x__31m", "日本": "日本",
	} {
		if got := fileName(gate, id); got != want {
			t.Errorf("%q is written to %q, want %q", id, got, want)
		}
	}
	// no name contains all or part of a secret in an id
	key := "ghp" + "_" + strings.Repeat("Zk8Qw3Rt6", 4)
	for _, id := range []string{key, "run-" + key, "a/" + key, strings.Repeat("x", 50) + " " + key, "password=hunter2x"} {
		if got := fileName(gate, id); got != "run" {
			t.Errorf("an id with a secret is written to %q", got)
		}
	}
}
