// Package bedrock reads bodies of the Converse interface of Amazon Bedrock:
// requests, responses and streams, alone or in the wrappers that package wire
// knows.
//
// Such files are logs of clients and proxies, and invocation logs (the bodies are
// input.inputBodyJson and output.outputBodyJson). Evidence: the provider's
// interface reference, second-hand.
//
// Traps: a block has no type; its only member names its kind. Results are blocks of
// user messages. inputTokens excludes the cached tokens, unless totalTokens shows
// otherwise. A request made through a client library may name no model.
//
// It must never claim a block with a type: such a block belongs to another
// interface.
package bedrock
