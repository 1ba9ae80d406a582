package har

import (
	"agentlens/internal/trace/anthropic"
	"agentlens/internal/trace/bedrock"
	"agentlens/internal/trace/bodies"
	"agentlens/internal/trace/chat/loose"
	"agentlens/internal/trace/gemini"
	"agentlens/internal/trace/responses"
	"agentlens/internal/trace/source"
)

// Format is the row of this family.
func Format() source.Format {
	row := bodies.Format(source.Format{
		Name:   "har",
		Title:  "HAR web traffic with requests to models",
		Proven: "second-hand",
		Places: []string{"saved from a browser or a proxy (.har)"},
	}, Dialects()...)
	row.Sniff = sniff
	return row
}

// Dialects are the interfaces whose bodies are looked for in web traffic.
func Dialects() []bodies.Dialect {
	return []bodies.Dialect{anthropic.Dialect{}, bedrock.Dialect{}, responses.Dialect{}, gemini.Dialect{}, completions{}}
}

// sniff knows the log by its members, of which the head may hold the first only.
func sniff(f *source.File) bool {
	if f.First() != '{' {
		return false
	}
	log := loose.Parse(loose.Mend(f.Head)).Object("log")
	return log.Has("entries") && log.HasAny("version", "creator") || log.Has("version") && log.HasAny("creator", "pages", "browser")
}
