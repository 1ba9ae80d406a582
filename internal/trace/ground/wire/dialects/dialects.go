// Package dialects lists the provider interfaces whose bodies may occur in one
// file, such as a record of web traffic.
//
// It must never hold a dialect itself: each has a package of its own.
package dialects

import (
	"agentlens/internal/trace/ground/wire"
	"agentlens/internal/trace/ground/wire/anthropic"
	"agentlens/internal/trace/ground/wire/bedrock"
	"agentlens/internal/trace/ground/wire/completions"
	"agentlens/internal/trace/ground/wire/gemini"
	"agentlens/internal/trace/ground/wire/responses"
)

// All returns the dialects that occur in web traffic, in the order they are tried.
func All() []wire.Dialect {
	return []wire.Dialect{anthropic.Dialect{}, bedrock.Dialect{}, responses.Dialect{}, gemini.Dialect{}, completions.Dialect{}}
}
