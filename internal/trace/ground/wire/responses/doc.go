// Package responses reads bodies of OpenAI's Responses interface: requests,
// responses, streams and captured WebSockets, alone or in the wrappers package
// wire knows, and the items of a history by themselves.
//
// Where such files live: logs of proxies and of clients, batch files, recorded
// fixtures. Evidence: the provider's interface reference, a genuine response and
// a genuine capture.
//
// Traps: one reply is several items; the provider may go on from a response it
// keeps (previous_response_id, conversation), then the request is not all the
// model got; items may be named by id alone (item_reference); tools the provider
// runs hold their result in the call; a compaction is sealed, and the messages
// kept beside it stand before it; a WebSocket carries several responses.
//
// It must never call a request the whole view where the provider added to it.
package responses
