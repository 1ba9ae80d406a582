// Package draft is what the readers of records that fit in memory stand on: it keeps
// texts, counts what was read, and reads JSON documents that are damaged. Families
// of evaluation logs and data sets use it as it is (atif, codexexec, inspect, openhands,
// sharegpt, sweagent), the shared readers of chats, bodies, spans and
// conversations build on it (messages, bodies, spans, history, store).
//
// Traps it knows: a document may be cut off, may be followed by further text, and
// may hold NaN and Infinity, which are no JSON but are what Python writes.
//
// It knows no format and decides nothing about what a provider saw.
package document
