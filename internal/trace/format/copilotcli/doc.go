// Package copilotcli reads the event files of Copilot CLI.
//
// They live in ~/.copilot/session-state/<id>/events.jsonl, and before version
// 1.0.11 in ~/.copilot/session-state/<id>.jsonl. The index session-store.db
// beside them is derived.
//
// Evidence: a genuine file of version 1.0.11 and the published schema of the
// events; compactions, truncations and sub-agents by that schema only. Traps
// that are met here:
//
//   - a user's message holds what was typed and, as transformedContent, what was
//     sent: one message, and an edit that tells the text it went out with;
//   - the start of a tool's execution mirrors the call, its end is the result;
//   - sub-agents write into the same file: their events name the call that
//     started them, newer ones an agent instead;
//   - messages record the tokens of their output only; the rest stands in the
//     shutdown record, by model, its input with what was read from and written
//     to the cache. A session that went on after it has no such total;
//   - recorded reasoning tokens may exceed the output: then they are no part of
//     it, and are not shown;
//   - compactions and truncations are told by counts and a summary, not by what
//     was left: what was sent after one is not recorded.
//
// The reader makes one pass over the file and keeps positions, not texts.
package copilotcli
