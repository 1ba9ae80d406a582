package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
)

// root makes the command that holds all others.
func (a *app) root() *cobra.Command {
	var screen showFlags
	root := &cobra.Command{
		Use:   "lens",
		Short: "See what the model saw",
		Long: `lens opens what a language-model agent left behind, shows the full history
beside what the provider was sent at each call, and replays any history
strategy on it. It works offline and never changes a file it reads.

  lens                                          the runs of this machine, to pick one
  lens show demo                                a built-in run to try it on
  lens show session.jsonl                       the inspector
  lens curate session.jsonl --strategy 'sliding_window(20)' --call last`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,

		SuggestionsMinimumDistance: 2,
		RunE:                       func(cmd *cobra.Command, args []string) error { return a.runRoot(cmd, args, screen) },
	}
	root.SetIn(a.in)
	root.SetOut(a.out) // before the completion command, which holds on to it
	root.SetErr(a.err)
	root.SetVersionTemplate("lens {{.Version}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usageError{fmt.Sprintf("%v; see %s --help", err, cmd.CommandPath())}
	})
	root.PersistentFlags().StringVar(&a.level, "level", "", "redaction: off, default or strict (exports: strict unless said otherwise here)")
	root.PersistentFlags().StringSliceVar(&a.pii, "pii", nil, "personal data to mask too: email")
	screen.addScreen(root.Flags())
	root.AddCommand(a.show(), a.list(), a.formats(), a.doctor(), a.stats(), a.search(), a.curate(), a.lint(), a.diff(), a.resume(), a.export(), a.redact(), a.strategies(), a.tokens(), a.config(), a.compare(), a.tune(), a.check(), a.demo(), a.man())
	a.addCompletions(root)
	mendDefaults(root)
	return root
}

// noCommand is the answer to a word that names no command.
func noCommand(root *cobra.Command, word string) error {
	near := root.SuggestionsFor(word)
	if len(near) == 0 {
		return usageError{fmt.Sprintf("there is no command %q; to open a run: lens show %s", word, word)}
	}
	return usageError{fmt.Sprintf("there is no command %q: did you mean %s? To open a run: lens show %s", word, strings.Join(near, ", "), word)}
}

// runRoot is lens without a command: the runs of this machine, or of a folder.
func (a *app) runRoot(cmd *cobra.Command, args []string, screen showFlags) error {
	folder := ""
	if len(args) == 1 {
		if info, err := os.Stat(args[0]); err == nil && info.IsDir() {
			folder = args[0]
		}
	}
	if (len(args) == 0 || folder != "") && a.onTerminal() {
		if screen.linearly(true) != "" { // nothing is drawn: a list is read instead
			list := a.list()
			list.SetContext(cmd.Context())
			return list.RunE(list, args)
		}
		return a.pickBelow(cmd.Context(), folder, screen)
	}
	if len(args) > 0 {
		return noCommand(cmd, args[0])
	}
	return cmd.Help()
}

// mendDefaults has the commands that come by themselves answer a wrong word as the
// others do.
func mendDefaults(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	if c, _, err := root.Find([]string{"help"}); err == nil { // by itself it takes any word for a topic
		c.Run, c.RunE = nil, func(_ *cobra.Command, args []string) error {
			topic, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return noCommand(root, strings.Join(args, " "))
			}
			return topic.Help()
		}
	}
	root.InitDefaultCompletionCmd()
	if c, _, err := root.Find([]string{"completion"}); err == nil { // by itself it prints its help for any word
		c.Args = cobra.ArbitraryArgs
		c.RunE = func(*cobra.Command, []string) error {
			return usageError{"lens completion needs a shell: bash, zsh, fish or powershell"}
		}
	}
}
