// Package har reads HAR 1.2, the record of web traffic that browsers and proxies
// write, as far as it holds requests to models: bodies of the Messages, Responses,
// generateContent and Chat Completions interfaces, streamed or not, and the
// messages of WebSockets.
//
// Such files have no fixed place: users save them. Evidence: the HAR 1.2
// specification and the providers' interface references.
//
// Traps: bodies are JSON strings, perhaps in base64. Most entries are not requests
// to models. Browsers truncate long bodies. Headers and cookies may hold API keys.
//
// It must never accept an entry as a conversation by its URL alone.
package har
