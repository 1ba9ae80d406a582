package uitest

import (
	"strings"
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

// Plain removes colours and cursor movements from a screen. It keeps other sequences.
func Plain(screen string) string {
	var b strings.Builder
	for {
		i := strings.Index(screen, "\x1b[")
		if i < 0 {
			b.WriteString(screen)
			return b.String()
		}
		b.WriteString(screen[:i])
		screen = screen[i:]
		end := 2
		for end < len(screen) && (screen[end] == ';' || '0' <= screen[end] && screen[end] <= '9') {
			end++
		}
		switch {
		case strings.HasPrefix(screen[end:], "X"): // erased cells: spaces and a cursor movement follow
			screen = strings.TrimLeft(screen[end+1:], " ")
		case strings.HasPrefix(screen[end:], "m"), strings.HasPrefix(screen[end:], "G"):
			screen = screen[end+1:]
		default:
			b.WriteString(screen[:end])
			screen = screen[end:]
		}
	}
}
