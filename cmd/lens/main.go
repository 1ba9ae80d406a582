// Command lens shows what a language-model agent did, and what its provider was
// really sent at each call.
//
// This package turns flags into calls and results into output and exit codes;
// there is no logic here that is not about the command line.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"agentlens/internal/config"
	"agentlens/internal/curate"
	"agentlens/internal/curate/models"
	"agentlens/internal/export"
	"agentlens/internal/redact"
	"agentlens/internal/trace"
	"agentlens/internal/ui/inspector"
	"agentlens/internal/ui/term"
)

// Exit codes.
const (
	exitOK          = 0
	exitFound       = 1 // something was found, or nothing was: the answer is in the code
	exitUsage       = 2
	exitUnreadable  = 3
	exitInterrupted = 130 // of signals see untilSignal
	exitHungUp      = 129 // the terminal closed
	exitFault       = 70  // of lens itself, EX_SOFTWARE of sysexits.h
)

func main() {
	collectLater()
	ctx, exit := untilSignal()
	os.Exit(exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)))
}

// run runs one command line and returns its exit code.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	a := &app{in: in, out: &output{Writer: out}, err: errOut}
	root := a.root()
	root.SetArgs(args)
	err := guarded(func() error { return root.ExecuteContext(ctx) })
	a.close()
	if a.out.err != nil && (err == nil || errors.Is(err, errFound)) {
		err = a.out.err
	}
	return report(errOut, err)
}

// app is what the commands share.
type app struct {
	in     io.Reader
	out    *output
	err    io.Writer
	level  string
	pii    []string
	count  string // what the tokens of a thread are counted by
	window string // size of the model's context window
	opened []*trace.Source
	piped  *trace.Source // what came in on standard input; nil until it is asked for
	tty    *os.File      // see keyboard
	follow *follower     // of the inspector that follows a source, else nil

	own   *config.Settings // see settings
	table *models.Table    // see models
}

func (a *app) close() {
	for _, s := range a.opened {
		s.Close()
	}
	if a.follow != nil {
		a.follow.close()
	}
	if a.tty != nil {
		a.tty.Close()
	}
}

// version is the module's version, or the revision it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	revision, dirty := "", ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value[:min(12, len(s.Value))]
		case "vcs.modified":
			if s.Value == "true" {
				dirty = "+changes"
			}
		}
	}
	if revision == "" {
		return "development"
	}
	return "development " + revision + dirty
}

// gate makes the gate every text goes through.
func (a *app) gate(fallback redact.Level) (*export.Gate, redact.Level, error) {
	level, err := a.redaction(fallback)
	if err != nil {
		return nil, 0, err
	}
	opts := redact.Options{Level: level}
	for _, kind := range a.pii {
		if kind != "email" {
			return nil, 0, usageError{fmt.Sprintf("--pii %s: only email is known", kind)}
		}
		opts.Email = true
	}
	g, err := export.NewGate(opts)
	return g, level, err
}

// A usageError is a command line that cannot be carried out.
type usageError struct{ message string }

func (e usageError) Error() string { return e.message }

// errFound ends a command whose answer is its exit code 1.
var errFound = errors.New("found")

// notFound is a clear answer of "no": exit code 1, and a sentence.
type notFound struct{ message string }

func (e notFound) Error() string { return e.message }

// report prints an error in a line or two and picks the exit code.
func report(w io.Writer, err error) int {
	var (
		usage     usageError
		settings  config.Fault
		none      notFound
		syntax    *curate.SyntaxError
		build     *curate.BuildError
		ambiguous *trace.AmbiguousError
		crash     *inspector.Crash
	)
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errFound):
		return exitFound
	case errors.As(err, &crash):
		return reportCrash(w, crash)
	case errors.Is(err, errUnread):
		return exitUnreadable
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.Is(err, term.ErrHungUp):
		return exitHungUp
	case errors.As(err, &none):
		say(w, none.message)
		return exitFound
	case errors.As(err, &usage):
		say(w, usage.message)
		return exitUsage
	case errors.As(err, &settings):
		say(w, "settings: "+settings.Error())
		return exitUsage
	case errors.As(err, &syntax):
		picture, sentence, _ := strings.Cut(syntax.Detail(), "\nstrategy chain: ")
		fmt.Fprintln(w, clean(picture))
		if !strings.HasSuffix(sentence, "?") {
			sentence += ";"
		}
		say(w, "strategy chain: "+sentence+" lens strategies lists them")
		return exitUsage
	case errors.As(err, &build):
		say(w, build.Error())
		return exitUsage
	case errors.As(err, &ambiguous):
		shown := ""
		if n := len(ambiguous.Matches); ambiguous.More > 0 {
			shown = fmt.Sprintf(" (%d of %s shown)", n, comma(int64(n+ambiguous.More)))
		}
		say(w, ambiguous.Error()+shown+"; name one:")
		for _, e := range ambiguous.Matches {
			fmt.Fprintf(w, "  %s  %s  %s\n", cleanLine(ambiguous.Nameable(e)), e.Status, cleaned(e.Title, (*export.Gate).Title))
		}
		return exitUsage
	case strings.HasPrefix(err.Error(), "unknown command"):
		say(w, err.Error())
		return exitUsage
	}
	say(w, err.Error())
	return exitUnreadable
}

func say(w io.Writer, message string) { fmt.Fprintf(w, "lens: %s\n", clean(message)) }

// clean makes what goes to stderr safe for a terminal: it may quote names and
// pieces of a record.
func clean(s string) string { return cleaned(s, (*export.Gate).Text) }

// cleanLine is clean for what is quoted within a line: an id, a title, a name.
func cleanLine(s string) string { return cleaned(s, (*export.Gate).Line) }

func cleaned(s string, as func(*export.Gate, string) export.Safe) string {
	g, err := export.NewGate(redact.Options{Level: redact.Default})
	if err != nil {
		return "an error that cannot be shown: " + err.Error()
	}
	return as(g, s).String()
}

// noArgs wants nothing beside flags.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usageError{fmt.Sprintf("%s takes no argument, and was given %q; see %s --help", cmd.CommandPath(), args[0], cmd.CommandPath())}
}

// oneRun wants the name of one run as the only argument.
func oneRun(cmd *cobra.Command, args []string) error {
	if len(args) == 1 && args[0] != "" {
		return nil
	}
	what := "needs a run"
	if len(args) > 1 {
		what = "takes one run"
	}
	return usageError{fmt.Sprintf("%s %s: a path, an id, latest, demo or -", cmd.CommandPath(), what)}
}
