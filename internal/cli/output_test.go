package cli

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"agentlens/internal/cli/failure"
)

// full fails every write, as a full disk does.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestLostOutput checks that a command fails when its output cannot be written.
func TestLostOutput(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", "")
	for _, line := range []string{
		"show demo", "show demo --json", "list demo", "list demo --json", "stats demo", "search rounding demo", "search rounding demo --json",
		"curate demo", "curate demo --json", "curate demo --call all --brief", "curate demo --strategy passthrough --as openai", "diff demo", "diff demo --json",
		"resume demo", "resume demo --json", "compare demo passthrough", "check demo --assert tokens<1", "check demo --assert tokens<1M", "lint demo", "lint demo --json",
		"export demo", "strategies", "strategies --json", "formats", "formats --json", "doctor demo", "config", "config --json", "tokens", "redact", "completion bash", "--version", "--help",
	} {
		var said strings.Builder
		code := Run(context.Background(), strings.Fields(line), strings.NewReader("some text"), full{}, &said)
		if code != failure.ExitNotWritten || !strings.Contains(said.String(), "no space left") {
			t.Errorf("lens %s: exit code %d, said %q", line, code, said.String())
		}
	}
	if code := Run(context.Background(), []string{"formats"}, strings.NewReader(""), io.Discard, io.Discard); code != failure.ExitOK {
		t.Errorf("lens formats: exit code %d", code)
	}
}
