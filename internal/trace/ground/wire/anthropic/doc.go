// Package anthropic reads bodies of Anthropic's Messages interface:
// requests, responses and streams, alone or in the wrappers that package wire
// knows.
//
// Such files are logs of proxies and clients, batch files and recorded fixtures.
// Evidence: the provider's interface reference, genuine responses and streams.
//
// Traps: a user message can hold tool results and text. Results of server tools are
// blocks of the reply. A compaction is a block of the reply too, and only
// usage.iterations counts its tokens. A stream reports its usage twice; the later
// count is final. The provider clears old results on its own and reports only their
// number (applied_edits). Clients omit cache marks and thinking when they repeat a
// message.
//
// It must never add up the usage counts of one stream. It must never show a request
// as what the model saw when the response reports that the provider changed it.
package anthropic
