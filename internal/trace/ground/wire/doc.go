// Package wire reads what was sent to a provider and what came back: request and response bodies, alone or in
// pairs, streamed or whole, in the wrappers in which people log them. A [Dialect] holds what differs between
// providers. Each dialect has a package below this one, and package wire/dialects lists those of web traffic,
// which the formats har and vcr read.
//
// Shapes: one body as a document; a list or JSON Lines of bodies; {request, response}
// with the bodies inside or one level deeper, as proxies, batch files and HAR write
// them; a stream as server-sent events, JSON Lines, a list, or the messages of a
// WebSocket, of which one record may contain several.
//
// A file is read once if it holds one run: each record is decoded when it is found, and texts of large files stay
// there by position, also those of JSON in JSON strings. The runs of other files are read again one by one.
//
// Requests repeat the history. Requests that continue an earlier one of the source
// form one conversation: each is a provider call, the request is its recorded view,
// and only its new parts become messages. A request continues an earlier one when it
// begins with it, contains its reply or its compaction, or names its response id.
// Conversations may be interleaved.
//
// Traps: a capture contains requests outside the conversation (titles, sub-agents). A client may omit
// thinking, cache marks and ids when it repeats the history. A stream repeats its usage. A torn stream still
// contains a part of its reply. A reply that no later request contains was abandoned. A request may refer to
// messages by id only. Most of a web capture is other traffic.
//
// It must never count the repeated history again, nor call a view recorded if the provider stored a part of
// it.
package wire
