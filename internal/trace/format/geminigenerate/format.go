// Package geminigenerate reads files of Gemini generateContent requests and
// responses. Package wire finds the bodies in a file, and package wire/gemini
// parses them.
//
// This package must never parse a body itself. All parsing belongs in wire/gemini.
package geminigenerate

import (
	"agentlens/internal/trace/ground/source"
	"agentlens/internal/trace/ground/wire"
	"agentlens/internal/trace/ground/wire/gemini"
)

// Format describes files of Gemini generateContent requests and responses.
func Format() source.Format {
	return wire.Format(source.Format{
		Name:   "gemini-generate",
		Title:  "Gemini generateContent requests and responses",
		Proven: "second-hand",
		Places: []string{"~/.gemini/tmp/*/checkpoint-*.json", "request logs, proxy captures, recorded streams (.json, .jsonl, .txt)"},
	}, gemini.Dialect{})
}
