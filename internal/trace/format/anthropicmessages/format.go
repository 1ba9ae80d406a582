// Package anthropicmessages reads files of Anthropic Messages requests and responses.
// Package wire finds the bodies in a file, and package wire/anthropic reads them.
//
// This package must never read a body itself. Code that interprets bodies belongs in
// wire/anthropic.
package anthropicmessages

import (
	"agentlens/internal/trace/ground/source"
	"agentlens/internal/trace/ground/wire"
	"agentlens/internal/trace/ground/wire/anthropic"
)

// Format describes files of Anthropic Messages requests and responses.
func Format() source.Format {
	return wire.Format(source.Format{
		Name:   "anthropic-messages",
		Title:  "Anthropic Messages requests and responses",
		Proven: "genuine files",
		Places: []string{"request logs, proxy captures, batch files, recorded streams (.json, .jsonl, .txt)"},
	}, anthropic.Dialect{})
}
