// Package document builds runs of JSON documents. It keeps texts, counts records, and reads damaged documents.
// It reads a document of [LargeSize] or more by position, if it is sound: its [Outline] holds the positions of
// the elements of its long lists, and their texts stay in the file. The readers of evaluation logs and data
// sets use it directly (atif, codex-exec, inspect, openhands, sharegpt-hf, swe-agent); packages wire, spans
// and history and the readers of chats build on it.
//
// Traps: a document may be cut off, may be followed by other text, and may contain
// NaN and Infinity, which Python writes although they are not JSON.
//
// It must never depend on a format, nor decide what a provider received.
package document
