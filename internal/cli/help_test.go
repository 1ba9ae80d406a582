package cli

import (
	"io"
	"strings"
	"testing"

	"agentlens/internal/cli/help"
	"agentlens/internal/cli/session"
)

// TestHelpIsComplete checks that every command and flag has its help, and that there is no other help.
func TestHelpIsComplete(t *testing.T) {
	for _, problem := range help.Problems(newRoot(session.New(strings.NewReader(""), io.Discard, io.Discard))) {
		t.Error(problem)
	}
}
