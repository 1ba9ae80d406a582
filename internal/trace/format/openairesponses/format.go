// Package openairesponses reads files of OpenAI Responses requests and responses.
// Package wire finds the bodies in a file, package wire/responses reads them.
//
// It must never read a body itself: what it knows of one belongs to wire/responses.
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
