// Package skill implements lens skill: the description of lens that coding agents read, and its installation.
//
// It must never write a file that the user has not seen and confirmed.
package skill

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"agentlens/internal/cli/args"
	"agentlens/internal/cli/change"
	"agentlens/internal/cli/failure"
	"agentlens/internal/cli/session"
	"agentlens/internal/redact"
)

//go:embed SKILL.md
var text []byte

// A place is where agents look for skills. Claude Code: code.claude.com/docs/en/skills; the others:
// developers.openai.com/codex/skills and agentskills.io.
type place struct {
	agents   []string
	variable string // of the environment, moves folder; "" if none does
	folder   string // in the home folder or in a project
}

func places() []place {
	return []place{
		{[]string{"claude-code"}, "CLAUDE_CONFIG_DIR", ".claude"},
		{[]string{"codex", "copilot", "opencode", "agents"}, "", ".agents"},
	}
}

// Agents returns the names that --agent accepts.
func Agents() (names []string) {
	for _, p := range places() {
		names = append(names, p.agents...)
	}
	return names
}

// path returns the file of the skill, that of the project or that of the user.
func (p place) path(project bool, env func(string) string) (string, error) {
	folder := p.folder
	switch {
	case project:
	case p.variable != "" && filepath.IsAbs(env(p.variable)):
		folder = env(p.variable)
	default:
		home, err := os.UserHomeDir()
		if err != nil {
			return "", errors.New(noPlace)
		}
		folder = filepath.Join(home, folder)
	}
	return filepath.Join(folder, "skills", "lens", "SKILL.md"), nil
}

// New returns the skill command, which prints the skill.
func New(s *session.Session) *cobra.Command {
	cmd := &cobra.Command{
		Use:  "skill",
		Args: args.NoneBut(unknownCommand),
		RunE: func(*cobra.Command, []string) error {
			_, err := s.Out.Write(text)
			return err
		},
	}
	cmd.AddCommand(newChange(s, "install", text), newChange(s, "uninstall", nil))
	return cmd
}

// newChange returns a command that gives the file of the skill a content; nil removes it.
func newChange(s *session.Session, name string, content []byte) *cobra.Command {
	var agent string
	var project, yes bool
	cmd := &cobra.Command{
		Use:  name,
		Args: args.None,
		RunE: func(*cobra.Command, []string) error { return run(s, agent, project, yes, content) },
	}
	flags := cmd.Flags()
	flags.StringVar(&agent, "agent", places()[0].agents[0], "")
	flags.BoolVar(&project, "project", false, "")
	flags.BoolVar(&yes, "yes", false, "")
	_ = cmd.RegisterFlagCompletionFunc("agent", cobra.FixedCompletions(Agents(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// run shows the change of the file and, with yes, makes it.
func run(s *session.Session, agent string, project, yes bool, content []byte) error {
	at := slices.IndexFunc(places(), func(p place) bool { return slices.Contains(p.agents, agent) })
	if at < 0 {
		return failure.Usagef(unknownAgent, agent, strings.Join(Agents(), ", "))
	}
	path, err := places()[at].path(project, os.Getenv)
	if err != nil {
		return failure.Usage(err.Error())
	}
	c, err := change.Of(path, func([]byte) ([]byte, error) { return content, nil })
	if err != nil {
		return err
	}
	c.Known = [][]byte{text}
	g, _, err := s.Gate(redact.Default)
	if err != nil {
		return err
	}
	if c.None() {
		_, err = fmt.Fprintf(s.Out, nothingToChange, g.Line(path))
		return err
	}
	if err := c.Show(s.Out, g); err != nil {
		return err
	}
	if !yes {
		_, err = fmt.Fprint(s.Out, runAgain)
		return err
	}
	backup, err := c.Make(time.Now())
	switch {
	case err != nil:
		return err
	case backup != "":
		fmt.Fprintf(s.Err, changedWithCopy, failure.CleanLine(path), failure.CleanLine(backup))
	default:
		fmt.Fprintf(s.Err, changed, failure.CleanLine(path))
	}
	return nil
}
