package session

import (
	"context"
	"os"

	"agentlens/internal/trace"
)

// A Sources is what a command reads: files by path, and sources that are already open
// because they are not files or because one of their runs was named.
type Sources struct {
	Files  []trace.Found
	Opened []*trace.Source
	Faults []trace.Fault
	Alone  bool // one source was named, and it is no folder
}

// Sources returns the files and sources that names identify, or those of this machine when
// there are none.
func (s *Session) Sources(ctx context.Context, args []string) (*Sources, error) {
	finder := trace.Finder{Env: os.Getenv}
	c := &Sources{Alone: len(args) == 1}
	defer func() { c.Faults = finder.Faults }()
	if len(args) == 0 {
		c.Files = finder.Machine(ctx)
		return c, nil
	}
	for _, name := range args {
		path, id := trace.SplitName(name)
		info, err := os.Stat(path)
		if err != nil || id != "" || name == "demo" || name == "-" { // a run, or not a file
			src, id, err := s.Open(ctx, name)
			if err == nil && id != "" {
				err = src.Narrow(id)
			}
			if err != nil {
				return nil, err
			}
			c.Opened = append(c.Opened, src)
			continue
		}
		found := trace.Found{Path: path, Modified: info.ModTime(), Size: info.Size(), Dir: info.IsDir()}
		if !found.Dir || trace.Claimed(path) {
			c.Files = append(c.Files, found)
			continue
		}
		c.Alone = false
		c.Files = append(c.Files, finder.Below(ctx, path)...)
	}
	return c, nil
}

// Size returns the total size of the files in bytes.
func (c *Sources) Size() (n int64) {
	for _, f := range c.Files {
		n += f.Size
	}
	return n
}
