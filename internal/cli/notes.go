package cli

import (
	"fmt"
	"io"

	"agentlens/internal/cli/failure"
	"agentlens/internal/cli/number"
	"agentlens/internal/export/request"
	"agentlens/internal/safe"
)

// nothing is the answer where no run is left of those that were seen.
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
