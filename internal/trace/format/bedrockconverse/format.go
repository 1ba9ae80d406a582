// Package bedrockconverse reads files of Amazon Bedrock Converse requests and responses.
// Package wire finds the bodies in a file, and package wire/bedrock reads them.
//
// This package must never read a body itself. Code that interprets bodies belongs in wire/bedrock.
package bedrockconverse

import (
	"agentlens/internal/trace/ground/source"
	"agentlens/internal/trace/ground/wire"
	"agentlens/internal/trace/ground/wire/bedrock"
)

// Format describes files of Bedrock Converse requests and responses.
func Format() source.Format {
	return wire.Format(source.Format{
		Name:   "bedrock-converse",
		Title:  "Bedrock Converse requests and responses",
		Proven: "second-hand",
		Places: []string{"request logs, invocation logs, recorded streams (.json, .jsonl)"},
	}, bedrock.Dialect{})
}
