package cli

import (
	"fmt"
	"io"

	"agentlens/internal/cli/failure"
	"agentlens/internal/cli/number"
	"agentlens/internal/export/request"
	"agentlens/internal/safe"
)

// nothing returns the error of a command that found no run; seen counts the runs before
// filtering.
func nothing(seen int, command string) error {
	if seen > 0 {
		return failure.Nof(noneMatches, number.Count(seen, "run"))
	}
	return failure.No(noRuns + command + " demo")
}

// printLosses prints what a provider's form does not carry over.
func printLosses(w io.Writer, lost []request.Loss) {
	for _, l := range lost {
		fmt.Fprintf(w, notCarriedOver, l.Count, l.What)
	}
}

// printMasked prints what was masked, by rule and never by value.
func printMasked(w io.Writer, found []safe.Found) {
	for _, f := range found {
		fmt.Fprintf(w, maskedSecrets, f.Count, f.Rule, f.Distinct)
	}
}
