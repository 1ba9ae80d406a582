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
		return failure.Nof("none of %s is what the flags ask for", number.Count(seen, "run"))
	}
	return failure.No("no runs found here; name a file or a folder, or try: lens " + command + " demo")
}

// printLosses prints what a provider's form does not carry over.
func printLosses(w io.Writer, lost []request.Loss) {
	for _, l := range lost {
		fmt.Fprintf(w, "lens: not carried over as it was, %d ×: %s\n", l.Count, l.What)
	}
}

// printMasked prints what was masked, by rule and never by value.
func printMasked(w io.Writer, found []safe.Found) {
	for _, f := range found {
		fmt.Fprintf(w, "lens: masked %d %s (%d distinct)\n", f.Count, f.Rule, f.Distinct)
	}
}
