// Package har reads HAR 1.2, the record of web traffic that browsers and proxies
// write, as far as it holds requests to models: bodies of the Messages, Responses,
// generateContent and Chat Completions interfaces, streamed or not, and the
// messages of WebSockets.
//
// Where such files live: wherever a person saved them. Evidence: the HAR 1.2
// specification and the providers' interface references.
//
// Traps: bodies are texts inside texts, perhaps in base64; most entries are no
// requests to models; browsers cut long bodies; headers and cookies hold keys.
//
// It must never take an entry for a conversation by its address alone.
package har
