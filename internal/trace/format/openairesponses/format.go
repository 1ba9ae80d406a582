// Package openairesponses reads files of OpenAI Responses requests and responses.
// Package wire finds the bodies in a file, and package wire/responses parses them.
//
// This package must never parse a body itself. All parsing belongs in
// wire/responses.
package openairesponses

import (
	"agentlens/internal/trace/ground/source"
	"agentlens/internal/trace/ground/wire"
	"agentlens/internal/trace/ground/wire/responses"
)

// Format describes files of OpenAI Responses requests and responses.
func Format() source.Format {
	return wire.Format(source.Format{
		Name:   "openai-responses",
		Title:  "OpenAI Responses requests and responses",
		Proven: "genuine files",
		Places: []string{"request logs, proxy and WebSocket captures, batch files, recorded streams (.json, .jsonl, .txt)"},
	}, responses.Dialect{})
}
