// Package anthropic reads bodies of Anthropic's Messages interface: requests,
// responses and streams, alone or in the wrappers package wire knows.
//
// Where such files live: logs of proxies and of clients, batch files, recorded
// fixtures. Evidence: the provider's interface reference, genuine responses and
// streams.
//
// Traps: a user message holds results of tools and text side by side; tools the
// provider runs answer inside the reply; a compaction is a block of the reply and
// its tokens stand in usage.iterations only; a stream says its usage twice, the
// later figure holds; the provider clears old results by itself and tells only
// how many (applied_edits); clients leave cache marks and thinking out of what
// they repeat.
//
// It must never add a stream's figures of usage up, nor show a request as what the
// model saw where the provider tells that it changed it.
package anthropic
