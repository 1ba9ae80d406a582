package cli

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"agentlens/internal/cli/session"
)

// Every flag with a value has a completion, except those whose value is a file.
func TestFlagsHaveCompletions(t *testing.T) {
	files := []string{"strategy-file", "output", "receipt", "from", "baseline", "base", "head"}
	root := newRoot(session.New(strings.NewReader(""), io.Discard, io.Discard))
	for _, cmd := range append(root.Commands(), root) {
		for _, set := range []*pflag.FlagSet{cmd.Flags(), cmd.PersistentFlags()} {
			set.VisitAll(func(f *pflag.Flag) {
				if f.Value.Type() == "bool" || f.Hidden || slices.Contains(files, f.Name) {
					return
				}
				if _, ok := cmd.GetFlagCompletionFunc(f.Name); !ok {
					t.Errorf("%s --%s has no completion", cmd.Name(), f.Name)
				}
			})
		}
		takes := strings.Contains(cmd.Use, "<") || strings.Contains(cmd.Use, "[")
		if takes && cmd.ValidArgsFunction == nil && !slices.Contains([]string{"tokens", "redact"}, cmd.Name()) {
			t.Errorf("the arguments of %s have no completion", cmd.Name())
		}
	}
}
