// Package messages reads bare OpenAI-style chat messages: what people log, train
// on and keep when no framework keeps it for them.
//
// Shapes: a list of messages; one object per message and line; an object with
// messages (a request body, a conversation, a training row); {request, response};
// {messages, response, kwargs} as LiteLLM and OpenHands write it; lines of a batch
// {custom_id, body} and {custom_id, response{body}}; a response body alone; the chunks of a
// streamed response, as server-sent events, lines or a list, alone or as the
// response of a pair. JSON Lines hold one of these per line, a stream one chunk.
//
// Evidence: the provider's interface reference, genuine LiteLLM logs, training
// files in the published shape.
//
// Traps: requests repeat the history, so that consecutive lines can be one
// conversation: then each line is one provider call and the recorded view of it.
// A framework that curates leaves messages out of later requests; such a request
// still belongs to the conversation when it holds the reply of the one before.
// prompt_tokens hold the cached ones. A list of {role, content} is also how other
// tools keep their trajectories: see the sniffer.
//
// It must never take a training row for a request, nor count the history a
// request repeats as calls of its own.
package openaichat
