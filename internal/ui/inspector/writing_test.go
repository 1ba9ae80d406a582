package inspector

import (
	"context"
	"testing"
	"time"

	"agentlens/internal/export"
)

// The end of the program waits for a file that is being written, and lets none begin.
func TestTheEndWaitsForExports(t *testing.T) {
	begun, release := make(chan struct{}), make(chan struct{})
	wrote := 0
	d := open(t, 120, 36, func(c *Config) {
		c.Export = func(context.Context, *export.Document, export.Format, string) (Exported, error) {
			close(begun)
			<-release
			wrote++
			return Exported{}, nil
		}
	})
	first, late := d.r.export(nil, export.Format{}, "a.md"), d.r.export(nil, export.Format{}, "b.md")
	go first()
	<-begun
	ended := make(chan struct{})
	go func() { d.r.writing.close(); close(ended) }()
	select {
	case <-ended:
		t.Fatal("the end did not wait")
	case <-time.After(20 * time.Millisecond):
	}
	close(release)
	<-ended
	if late(); wrote != 1 {
		t.Errorf("%d files were written, one of them after the end", wrote)
	}
}
