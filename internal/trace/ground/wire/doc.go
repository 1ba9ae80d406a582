// Package bodies reads what was sent to a provider and what came back: request
// and response bodies, alone or in pairs, streamed or whole, in the wrappers
// people log them in. What differs between providers is a [Dialect] (anthropic,
// gemini, responses, and chat completions in har); the rest lives here once. vcr
// brings its cassettes to HAR.
//
// Shapes: one body as a document; a list or JSON Lines of them; {request,
// response} with the bodies inside or one level deeper, as proxies, batch files
// and HAR write it; a stream as server-sent events, JSON Lines, a list, or the
// messages of a WebSocket, of which one record may hold several.
//
// Requests repeat the history. Those that go on where an earlier one of the
// source stopped are one conversation: each is a provider call, the request is its
// recorded view, and only what is new in it becomes messages. A request goes on
// when it begins with an earlier one, holds its reply, holds its compaction, or
// names its response id. Conversations may be interleaved.
//
// Traps: a capture has requests beside the conversation (titles, sub-agents); a
// client may leave thinking, cache marks and ids out of what it repeats; a stream
// repeats its usage; a torn stream still holds a part of its reply; a reply that
// no later request holds was given up; a request may name what was said by ids
// alone; most of a web capture is other traffic.
//
// It must never count the repeated history again, nor call a view recorded of
// which the provider held a part itself.
package wire
