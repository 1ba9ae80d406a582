package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"agentlens/internal/cli/failure"
	"agentlens/internal/cli/session"
)

// newMan returns the man command, which packagers run as lens man > lens.1.
func newMan(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "man", Hidden: true, Args: noWords,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := io.WriteString(s.Out, manPage(cmd.Root()))
			return err
		},
	}
}

// manPage returns the manual page of the command tree.
func manPage(root *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH LENS 1 \"\" %s \"User Commands\"\n", quoted("lens "+root.Version))
	fmt.Fprintf(&b, ".SH NAME\nlens \\- %s\n", roff(strings.ToLower(root.Short[:1])+root.Short[1:]))
	b.WriteString(".SH SYNOPSIS\n.B lens\n[\\fIcommand\\fR] [\\fIflags\\fR]\n.SH DESCRIPTION\n")
	prose(&b, root.Long)
	b.WriteString(".SH COMMANDS\n")
	for _, cmd := range root.Commands() {
		if cmd.Hidden || cmd.Name() == "help" {
			continue
		}
		fmt.Fprintf(&b, ".SS %s\n", quoted("lens "+cmd.Use))
		prose(&b, cmp.Or(cmd.Long, cmd.Short))
		flags(&b, cmd.LocalNonPersistentFlags())
	}
	b.WriteString(".SH \"OPTIONS OF ALL COMMANDS\"\n")
	flags(&b, root.PersistentFlags())
	b.WriteString(".SH \"EXIT STATUS\"\n")
	for _, e := range []struct {
		code int
		what string
	}{
		{failure.ExitOK, "fine"},
		{failure.ExitFound, "something was found, or nothing matched"},
		{failure.ExitUsage, "the command line cannot be carried out, or names several runs"},
		{failure.ExitUnreadable, "the input could not be read"},
		{failure.ExitNotJudged, "check: nothing failed, but something is not recorded"},
		{failure.ExitSecretLeft, "export: the output was removed because it contained a secret"},
		{failure.ExitInterrupted, "interrupted"},
		{143, "ended by kill or timeout; 129 by a terminal that closed"},
	} {
		fmt.Fprintf(&b, ".TP\n.B %d\n%s\n", e.code, e.what)
	}
	return b.String()
}

// prose writes paragraphs. Indented lines keep their layout.
func prose(b *strings.Builder, text string) {
	verbatim := false
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		switch {
		case line == "":
			if verbatim {
				b.WriteString(".fi\n.RE\n")
				verbatim = false
			}
			b.WriteString(".PP\n")
			continue
		case line[0] == ' ' && !verbatim:
			b.WriteString(".RS\n.nf\n")
			verbatim = true
		}
		b.WriteString(roff(strings.TrimSpace(line)) + "\n")
	}
	if verbatim {
		b.WriteString(".fi\n.RE\n")
	}
}

func flags(b *strings.Builder, set *pflag.FlagSet) {
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		b.WriteString(".TP\n")
		if f.Shorthand != "" {
			fmt.Fprintf(b, "\\fB\\-%s\\fR, ", roff(f.Shorthand))
		}
		fmt.Fprintf(b, "\\fB\\-\\-%s\\fR", roff(f.Name))
		value, usage := pflag.UnquoteUsage(f)
		if value != "" {
			fmt.Fprintf(b, " \\fI%s\\fR", roff(value))
		}
		b.WriteString("\n" + roff(usage) + "\n")
	})
}

// roff returns text escaped for roff, in ASCII.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n", " ").Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	var b strings.Builder
	for _, c := range s {
		if c < 0x7f {
			b.WriteRune(c)
		} else {
			fmt.Fprintf(&b, `\[u%04X]`, c)
		}
	}
	return b.String()
}

func quoted(s string) string { return `"` + strings.ReplaceAll(roff(s), `"`, `\(dq`) + `"` }
