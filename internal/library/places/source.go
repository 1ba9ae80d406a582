package places

import (
	"math"

	"agentlens/internal/curate/money"
	"agentlens/internal/model"
	"agentlens/internal/trace/ground/source"
)

// A Source holds the runs of a file. It is not safe for concurrent use.
type Source struct {
	Runs  []*Run
	path  string
	files source.Files // nil for a file without texts of messages
	wrong bool
}

// A Run is a run without its threads, and the places of their texts.
type Run struct {
	model.Run // ID, Title, Source, Format and Bodies only
	Cost      money.Sum
	Threads   []*Thread
}

// Close closes the files of the source.
func (src *Source) Close() {
	for _, f := range src.files {
		if f != nil {
			f.Close()
		}
	}
}

// Sound reports whether all messages and texts so far were found at their places. Otherwise the runs must be loaded.
func (src *Source) Sound() bool { return !src.wrong }

// bodies reads the texts of a source, and notes those that cannot be read.
type bodies struct {
	source.Files
	src *Source
}

// Body reads the text at r.
func (b bodies) Body(r model.Ref) (string, error) {
	text, err := b.Files.Body(r)
	if err != nil {
		b.src.wrong = true
	}
	return text, err
}

// run decodes a run.
func (src *Source) run(in *decoder) *Run {
	names := make([]string, in.length(1))
	for i := range names {
		names[i] = in.text()
	}
	name := func() string {
		i := in.below(len(names))
		if in.failed {
			return ""
		}
		return names[i]
	}
	r := &Run{Run: model.Run{ID: name(), Title: name(), Format: name(), Source: src.path, Bodies: bodies{src.files, src}}}
	r.Cost.Amount = money.Amount(in.number())
	for _, p := range r.Cost.Counts() {
		*p = in.below(math.MaxInt32)
	}
	for n := in.length(2); n > 0; n-- {
		r.Threads = append(r.Threads, src.thread(in, name(), names))
	}
	if len(in.b) > 0 || r.Cost.Amount < 0 {
		in.fail()
	}
	return r
}
