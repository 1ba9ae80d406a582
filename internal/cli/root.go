package cli

import (
	"os"
	"strings"

	"github.com/spf13/cobra"

	"agentlens/internal/cli/failure"
	"agentlens/internal/cli/session"
)

// newRoot returns the lens command with all its subcommands.
func newRoot(s *session.Session) *cobra.Command {
	var screen showFlags
	root := &cobra.Command{
		Use:           "lens",
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,

		SuggestionsMinimumDistance: 2,
		RunE:                       func(cmd *cobra.Command, args []string) error { return runRoot(s, cmd, args, screen) },
	}
	root.SetIn(s.In)
	root.SetOut(s.Out) // the completion command keeps the writer it finds here
	root.SetErr(s.Err)
	root.SetVersionTemplate("lens {{.Version}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return failure.Usagef("%v; see %s --help", err, cmd.CommandPath())
	})
	root.PersistentFlags().StringVar(&s.Level, "level", "", "")
	root.PersistentFlags().StringSliceVar(&s.PII, "pii", nil, "")
	screen.addScreen(root.Flags())
	root.AddCommand(newShow(s), newList(s), newFormats(s), newDoctor(s), newStats(s), newSearch(s), newCurate(s), newLint(s), newDiff(s), newResume(s), newExport(s), newRedact(s), newStrategies(s), newTokens(s), newConfig(s), newCompare(s), newTune(s), newCheck(s), newAudit(s), newSchema(s), newDemo(s), newMan(s))
	describe(root)
	addCompletions(s, root)
	mendDefaults(root)
	return root
}

// noCommand returns the error for an unknown command.
func noCommand(root *cobra.Command, word string) error {
	near := root.SuggestionsFor(word)
	if len(near) == 0 {
		return failure.Usagef(noCommandText, word, word)
	}
	return failure.Usagef(nearCommands, word, strings.Join(near, ", "), word)
}

// runRoot runs lens without a command: it lists the runs of this machine, or of a folder.
func runRoot(s *session.Session, cmd *cobra.Command, args []string, screen showFlags) error {
	folder := ""
	if len(args) == 1 {
		if info, err := os.Stat(args[0]); err == nil && info.IsDir() {
			folder = args[0]
		}
	}
	if (len(args) == 0 || folder != "") && s.OnTerminal() {
		if screen.linearly(true) != "" { // the linear mode draws nothing: print the list
			list := newList(s)
			list.SetContext(cmd.Context())
			return list.RunE(list, args)
		}
		return pickBelow(cmd.Context(), s, folder, screen)
	}
	if len(args) > 0 {
		return noCommand(cmd, args[0])
	}
	return cmd.Help()
}

// mendDefaults makes the commands that cobra adds report an unexpected argument as other commands do.
func mendDefaults(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	if c, _, err := root.Find([]string{"help"}); err == nil { // cobra's own help accepts any word as a topic
		c.Run, c.RunE = nil, func(_ *cobra.Command, args []string) error {
			topic, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return noCommand(root, strings.Join(args, " "))
			}
			return topic.Help()
		}
	}
	root.InitDefaultCompletionCmd()
	if c, _, err := root.Find([]string{"completion"}); err == nil { // cobra's own completion command prints its help for any word
		c.Args = cobra.ArbitraryArgs
		for _, shell := range c.Commands() {
			shell.Args = noWords
		}
		c.RunE = func(*cobra.Command, []string) error {
			return failure.Usage(needsShell)
		}
	}
}
