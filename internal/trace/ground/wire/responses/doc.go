// Package responses reads bodies of OpenAI's Responses interface: requests,
// responses, streams and captured WebSockets, alone or in the wrappers that package
// wire knows, and lists of history items.
//
// Such files are logs of proxies and clients, batch files and recorded fixtures.
// Evidence: the provider's interface reference, a genuine response and a genuine
// capture.
//
// Traps: one reply is several items. A request may continue a response that the
// provider stores (previous_response_id, conversation); it is then not the whole
// view. An item may be only an id (item_reference). Server tools store their result
// in the call. A compaction is encrypted, and the messages that it keeps precede
// it. A WebSocket carries several responses.
//
// It must never show a request as the whole view if the provider added to it.
package responses
