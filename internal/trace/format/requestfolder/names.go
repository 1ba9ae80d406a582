package requestfolder

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"agentlens/internal/model"
)

// names turns the lines of the joined records into the files that hold them.
type names struct {
	base  string
	lines []string // by line number - 1
}

func newNames(folder string, list []member) names {
	n := names{base: filepath.Base(folder)}
	for _, m := range list {
		file := n.base + "/" + filepath.Base(m.path)
		for i := range m.records {
			if len(m.records) > 1 {
				n.lines = append(n.lines, fmt.Sprintf("%s record %d", file, i+1))
			} else {
				n.lines = append(n.lines, file)
			}
		}
	}
	return n
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
	line, err := strconv.Atoi(digits)
	if err != nil || line < 1 || line > len(n.lines) {
		return where
	}
	if found {
		what = "," + what
	}
	return n.lines[line-1] + what
}

// bodies are the texts of a run, with the files as their positions.
type bodies struct {
	model.Bodies
	names names
}

// Where describes the position of a text.
func (b bodies) Where(ref model.Ref) string { return b.names.place(b.Bodies.Where(ref)) }
