package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"

	"agentlens/internal/ui/job"
)

// guarded runs f and turns a panic in it into an error.
func guarded(f func() error) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = &job.Crash{Fault: fault, Stack: debug.Stack()}
		}
	}()
	return f()
}

// reportCrash tells of a fault of lens, and where its report is.
func reportCrash(w io.Writer, c *job.Crash) int {
	say(w, c.Error())
	path, err := writeCrash(c)
	if err != nil {
		fmt.Fprintf(w, "lens: its report could not be written (%s) and is this:\n%s\n", clean(err.Error()), c.Stack)
		return exitFault
	}
	say(w, "a report without the texts of the run is in "+path+": please send it along with what you did")
	return exitFault
}

// writeCrash writes the report of a fault to a new file that only the person can read.
func writeCrash(c *job.Crash) (path string, err error) {
	f, err := os.CreateTemp("", "lens-crash-*.txt")
	if err != nil {
		return "", err
	}
	_, err = fmt.Fprintf(f, "lens %s, %s, %s/%s\n%s\n\n%s", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, clean(fmt.Sprint(c.Fault)), c.Stack)
	return f.Name(), errors.Join(err, f.Close())
}
