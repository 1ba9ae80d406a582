package requestfolder

import (
	"strconv"
	"strings"

	"agentlens/internal/model"
)

// names turns the lines of the joined records into the files that hold them.
type names struct {
	base  string
	lines []line
}

// rename names the files in the positions of a run.
func (n names) rename(run *model.Run) {
	run.Bodies = bodies{run.Bodies, n}
	for i := range run.Warnings {
		run.Warnings[i].Where = n.place(run.Warnings[i].Where)
	}
}

// place returns a position with the file instead of the line.
func (n names) place(where string) string {
	rest, ok := strings.CutPrefix(where, n.base+" line ")
	if !ok {
		return where
	}
	digits, what, found := strings.Cut(rest, ",")
	at, err := strconv.Atoi(digits)
	if err != nil || at < 1 || at > len(n.lines) {
		return where
	}
	if found {
		what = "," + what
	}
	return n.lines[at-1].place + what
}

// bodies are the texts of a run, with the files as their positions.
type bodies struct {
	model.Bodies
	names names
}

// Where describes the position of a text.
func (b bodies) Where(ref model.Ref) string { return b.names.place(b.Bodies.Where(ref)) }
