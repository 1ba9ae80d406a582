package har

import (
	"agentlens/internal/jsontext"
	"agentlens/internal/trace/format/anthropicmessages"
	"agentlens/internal/trace/format/bedrockconverse"
	"agentlens/internal/trace/format/geminigenerate"
	"agentlens/internal/trace/format/openairesponses"
	"agentlens/internal/trace/ground/chat/loose"
	"agentlens/internal/trace/ground/source"
	"agentlens/internal/trace/ground/wire"
)

// Format describes HAR web traffic with requests to models.
func Format() source.Format {
	row := wire.Format(source.Format{
		Name:   "har",
		Title:  "HAR web traffic with requests to models",
		Proven: "second-hand",
		Places: []string{"saved from a browser or a proxy (.har)"},
	}, Dialects()...)
	row.Sniff = sniff
	return row
}

// Dialects returns the interfaces that are recognised in web traffic.
func Dialects() []wire.Dialect {
	return []wire.Dialect{anthropicmessages.Dialect{}, bedrockconverse.Dialect{}, openairesponses.Dialect{}, geminigenerate.Dialect{}, completions{}}
}

// sniff reports whether the file is a HAR log. The head may hold only the first
// members.
func sniff(f *source.File) bool {
	if f.First() != '{' {
		return false
	}
	log := loose.Parse(jsontext.Mend(f.Head)).Object("log")
	return log.Has("entries") && log.HasAny("version", "creator") || log.Has("version") && log.HasAny("creator", "pages", "browser")
}
