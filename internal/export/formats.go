package export

import (
	"io"

	"agentlens/internal/curate/tokens"
	"agentlens/internal/model"
)

// A Format is a form in which a run leaves lens, to be shared.
type Format struct {
	Name   string // as --format takes it
	Ending string // of its files, with the point
	Help   string
	// Write writes a run, all its threads or only one, through the gate. An error is
	// one of writing.
	Write func(w io.Writer, g *Gate, r *model.Run, only *model.Thread) error
}

// Formats lists the formats, the first one for when none is named.
func Formats() []Format {
	return []Format{
		{"md", ".md", "Markdown, a transcript to read", func(w io.Writer, g *Gate, r *model.Run, only *model.Thread) error {
			return Markdown(w, g, r, threadsOf(r, only), g.Level().String())
		}},
		{"html", ".html", "a page that stands alone, for a browser", func(w io.Writer, g *Gate, r *model.Run, only *model.Thread) error {
			return HTML(w, g, r, threadsOf(r, only))
		}},
		{"json", ".json", "lens.run/1, for programs", func(w io.Writer, g *Gate, r *model.Run, only *model.Thread) error {
			return WriteRun(w, g, r, only, tokens.Estimate{})
		}},
	}
}

func threadsOf(r *model.Run, only *model.Thread) []*model.Thread {
	if only == nil {
		return r.Threads
	}
	return []*model.Thread{only}
}
