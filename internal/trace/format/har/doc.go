// Package har reads requests to models in HAR 1.2 files, which browsers and proxies
// write. It reads bodies of the Messages, Responses, generateContent and Chat
// Completions interfaces, streamed or not, and WebSocket messages.
//
// HAR files have no standard location, because users save them. Evidence: the HAR
// 1.2 specification and the providers' interface references.
//
// Traps: bodies are JSON strings, sometimes in base64. Most entries are not
// requests to models. Browsers truncate long bodies. Headers and cookies may hold
// API keys.
//
// This package must never treat an entry as a conversation because of its URL
// alone.
package har
