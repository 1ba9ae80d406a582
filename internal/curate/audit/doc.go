// Package audit reports notable facts about a run: lost cache, content that a later reply needed, lost
// instructions, failures, and messages that cost much to carry.
//
// The package must never claim what the record does not show. It reads texts through the
// run, and opens no file.
package audit
