package session

import (
	"context"
	"os"

	"agentlens/internal/trace"
)

// A Sources is what a person wants looked through: files that were found or named,
// and sources that are open already: those that are no files, and those of which
// one run is wanted.
type Sources struct {
	Files  []trace.Found
	Opened []*trace.Source
	Faults []trace.Fault
	Alone  bool // one source was named, and no folder: that it cannot be read is the answer
}

// Sources finds the files to be read for the sources a person names, or those of
// this machine.
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
		if err != nil || id != "" || name == "demo" || name == "-" { // a run, or what is no file
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

// Size returns how many bytes the files have.
func (c *Sources) Size() (n int64) {
	for _, f := range c.Files {
		n += f.Size
	}
	return n
}
