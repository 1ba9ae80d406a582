package atif

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/document"
	"agentlens/internal/trace/ground/members"
	"agentlens/internal/trace/ground/source"
)

const name = "atif"

// maxDocument limits the size of a trajectory, in bytes.
const maxDocument = 512 << 20

// Format describes ATIF trajectories.
func Format() source.Format {
	return source.Format{
		Name: name, Title: "ATIF trajectory", Proven: "genuine files",
		Places: []string{"<trial>/agent/trajectory.json of Harbor and Terminal-Bench"},
		Sniff:  func(f *source.File) bool { return isTrajectory(document.Head(f)) },
		Open:   open,
	}
}

func isTrajectory(o members.Object) bool {
	return strings.HasPrefix(o.Text("schema_version"), "ATIF")
}

func open(_ context.Context, f *source.File) (source.Reader, error) {
	v, err := document.Read(f, maxDocument)
	if err != nil {
		return nil, err
	}
	top := members.Parse(v.JSON)
	if !isTrajectory(top) {
		return nil, &source.UnreadableError{Path: f.Path, Err: errors.New("a trajectory with schema_version ATIF-v1.… was expected")}
	}
	return source.One(func(context.Context, source.Options) (*model.Run, error) {
		l := &loader{Builder: document.New(f.Path, name, cmp.Or(top.FirstText("trajectory_id", "session_id"), f.Stem())), ids: map[string]int{}}
		l.trajectory(top, "", "", 0)
		l.Damage(v, l.Place("its end"))
		if l.better {
			l.Run.Usage = &l.total
		}
		return l.Finish(l.threads...), nil
	}), nil
}
