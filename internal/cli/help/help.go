// Package help holds the help of lens: the texts of commands and flags, the topics, and the manual page made of
// them.
//
// It must never parse or run a command.
package help

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A text is the help of a command. The usage of a flag comes from flags, or from sharedFlags if flags does not
// list it. The group is a title of [groups].
type text struct {
	group, short, long string
	flags              map[string]string
}

// groups are the titles under which lens --help lists the commands, in order.
var groups = [...]string{"Look", "Explain", "Try", "Check", "Share", "Tools"}

// Describe writes the help texts into root and its commands, and adds the topics.
func Describe(root *cobra.Command) {
	for _, title := range groups {
		root.AddGroup(&cobra.Group{ID: title, Title: title + ":"})
	}
	root.SetHelpCommandGroupID("Tools")
	root.SetCompletionCommandGroupID("Tools")
	all, shared := texts(), sharedFlags()
	for _, cmd := range commandsOf(root) {
		t := all[keyOf(cmd)]
		cmd.GroupID, cmd.Short, cmd.Long = t.group, t.short, t.long
		for _, set := range flagsOf(cmd) {
			set.VisitAll(func(f *pflag.Flag) {
				if f.Usage = shared[f.Name]; t.flags[f.Name] != "" {
					f.Usage = t.flags[f.Name]
				}
			})
		}
	}
	for _, t := range topics() {
		page := &cobra.Command{Use: t.name, Short: t.short, Long: t.long}
		if t.page != nil {
			page.SetHelpFunc(func(cmd *cobra.Command, _ []string) { fmt.Fprintln(cmd.OutOrStdout(), t.page()) })
		}
		root.AddCommand(page)
	}
}

// commandsOf returns a command with the commands below it.
func commandsOf(cmd *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{cmd}
	for _, c := range cmd.Commands() {
		list = append(list, commandsOf(c)...)
	}
	return list
}

// keyOf returns the name of a command in texts: "hook install" for lens hook install, "lens" for lens itself.
func keyOf(cmd *cobra.Command) string {
	if path := strings.TrimPrefix(cmd.CommandPath(), "lens "); path != "" {
		return path
	}
	return cmd.Name()
}

func flagsOf(cmd *cobra.Command) []*pflag.FlagSet {
	return []*pflag.FlagSet{cmd.Flags(), cmd.PersistentFlags()}
}

// Problems returns what is missing from the help of root and its commands, and the texts without a command or flag.
func Problems(root *cobra.Command) (problems []string) {
	fail := func(format string, a ...any) { problems = append(problems, fmt.Sprintf(format, a...)) }
	all, used := texts(), map[string]bool{}
	for _, cmd := range commandsOf(root) {
		if slices.ContainsFunc(topics(), func(t topic) bool { return t.name == cmd.Name() }) || cmd.Parent() != nil && cmd.Parent().Name() == "completion" {
			continue
		}
		t := all[keyOf(cmd)]
		if cmd.Short == "" {
			fail("%s has no help", keyOf(cmd))
		}
		if cmd.GroupID == "" && cmd.Parent() == root && !cmd.Hidden {
			fail("%s is in no group", cmd.Name())
		}
		for name := range t.flags {
			if cmd.Flags().Lookup(name) == nil && cmd.PersistentFlags().Lookup(name) == nil {
				fail("%s has no flag --%s", cmd.Name(), name)
			}
		}
		for _, set := range flagsOf(cmd) {
			set.VisitAll(func(f *pflag.Flag) {
				used[f.Name] = true
				if f.Usage == "" {
					fail("%s --%s has no usage", cmd.Name(), f.Name)
				}
			})
		}
		delete(all, keyOf(cmd))
	}
	for name := range all {
		fail("there is no command %s", name)
	}
	for name := range sharedFlags() {
		if !used[name] {
			fail("no command has a flag --%s", name)
		}
	}
	return problems
}
