package uitest

import (
	"regexp"
	"testing"

	"agentlens/internal/redact"
	"agentlens/internal/safe"
)

// Gate returns a gate at the default level.
func Gate(t testing.TB) *safe.Gate {
	t.Helper()
	gate, err := safe.NewGate(redact.Options{Level: redact.Default})
	if err != nil {
		t.Fatal(err)
	}
	return gate
}

var styling = regexp.MustCompile("\x1b\\[[0-9]+X *(\x1b\\[[0-9]+G)?|\x1b\\[[0-9;]*[mG]")

// Plain returns a screen without its colours and cursor moves.
func Plain(screen string) string { return styling.ReplaceAllString(screen, "") }
