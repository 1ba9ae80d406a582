// Package bedrock reads bodies of the Converse interface of Amazon Bedrock:
// requests, responses and streams, alone or in the wrappers package wire knows.
//
// Where such files live: logs of clients and proxies, invocation logs (the bodies
// are input.inputBodyJson and output.outputBodyJson). Evidence: the provider's
// interface reference, second-hand.
//
// Traps: a block has no type: its one member names it; results stand in messages
// of the user; inputTokens leave the cached ones out, unless the total tells
// otherwise; a request made through a client library may name no model.
//
// It must never take a block with a type for its own: that is another interface's.
package bedrock
