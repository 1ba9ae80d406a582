package cli

import (
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"agentlens/internal/cli/session"
)

// TestHelpIsComplete checks that help.go describes every command and flag, and nothing else.
func TestHelpIsComplete(t *testing.T) {
	root := newRoot(session.New(strings.NewReader(""), io.Discard, io.Discard))
	texts, flags := commandHelps(), map[string]bool{}
	check := func(cmd *cobra.Command) {
		text := texts[cmd.Name()]
		if cmd.Short == "" {
			t.Errorf("%s has no help", cmd.Name())
		}
		for name := range text.flags {
			if cmd.Flags().Lookup(name) == nil && cmd.PersistentFlags().Lookup(name) == nil {
				t.Errorf("%s has no flag --%s", cmd.Name(), name)
			}
		}
		for _, set := range []*pflag.FlagSet{cmd.LocalFlags(), cmd.PersistentFlags()} {
			set.VisitAll(func(f *pflag.Flag) {
				flags[f.Name] = true
				if f.Usage == "" {
					t.Errorf("%s --%s has no usage", cmd.Name(), f.Name)
				}
			})
		}
		delete(texts, cmd.Name())
	}
	check(root)
	for _, cmd := range root.Commands() {
		check(cmd)
	}
	for name := range texts {
		t.Errorf("there is no command %s", name)
	}
	for name := range sharedFlags() {
		if !flags[name] {
			t.Errorf("no command has a flag --%s", name)
		}
	}
}
