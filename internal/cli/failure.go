package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"agentlens/internal/config"
	"agentlens/internal/curate"
	"agentlens/internal/redact"
	"agentlens/internal/safe"
	"agentlens/internal/trace"
	"agentlens/internal/ui/job"
	"agentlens/internal/ui/term"
)

// Exit codes.
const (
	ExitOK          = 0
	ExitFound       = 1 // something was found, or nothing was: the answer is in the code
	exitUsage       = 2
	ExitUnreadable  = 3
	ExitInterrupted = 130 // of signals see untilSignal
	exitHungUp      = 129 // the terminal closed
	exitFault       = 70  // of lens itself, EX_SOFTWARE of sysexits.h
)

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
		crash     *job.Crash
	)
	switch {
	case err == nil:
		return ExitOK
	case errors.Is(err, errFound):
		return ExitFound
	case errors.As(err, &crash):
		return reportCrash(w, crash)
	case errors.Is(err, errUnread):
		return ExitUnreadable
	case errors.Is(err, context.Canceled):
		return ExitInterrupted
	case errors.Is(err, term.ErrHungUp):
		return exitHungUp
	case errors.As(err, &none):
		say(w, none.message)
		return ExitFound
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
			fmt.Fprintf(w, "  %s  %s  %s\n", cleanLine(ambiguous.NameOf(e)), e.Status, cleaned(e.Title, (*safe.Gate).Title))
		}
		return exitUsage
	case strings.HasPrefix(err.Error(), "unknown command"):
		say(w, err.Error())
		return exitUsage
	}
	say(w, err.Error())
	return ExitUnreadable
}

func say(w io.Writer, message string) { fmt.Fprintf(w, "lens: %s\n", clean(message)) }

// clean makes what goes to stderr safe for a terminal: it may quote names and
// pieces of a record.
func clean(s string) string { return cleaned(s, (*safe.Gate).Text) }

// cleanLine is clean for what is quoted within a line: an id, a title, a name.
func cleanLine(s string) string { return cleaned(s, (*safe.Gate).Line) }

func cleaned(s string, as func(*safe.Gate, string) safe.Safe) string {
	g, err := safe.NewGate(redact.Options{Level: redact.Default})
	if err != nil {
		return "an error that cannot be shown: " + err.Error()
	}
	return as(g, s).String()
}
