// Package copilotcli reads the event files of Copilot CLI.
//
// They are stored in ~/.copilot/session-state/<id>/events.jsonl, and before version
// 1.0.11 in ~/.copilot/session-state/<id>.jsonl. The index session-store.db in the
// same folder is derived from them.
//
// Evidence: a genuine file of version 1.0.11 and the published schema of the
// events. Compactions, truncations and sub-agents are known only from that schema.
//
// Traps:
//
//   - a user message holds the typed text and, as transformedContent, the text that
//     was sent: one message, and an edit with the sent text;
//   - the start of a tool's execution repeats the call; its end is the result;
//   - sub-agents write to the same file: their events name the call that started
//     them, or in newer files an agent;
//   - messages record only their output tokens. The shutdown record holds the other
//     counts per model; its input includes cache reads and writes. It does not
//     cover replies after it;
//   - recorded reasoning tokens may exceed the output; they are then not part of
//     it, and lens does not show them;
//   - compactions and truncations record counts and a summary, but not the
//     remaining messages. What was sent afterwards is not recorded.
//
// The reader makes one pass over the file and keeps positions, not texts. It must
// never claim a view after a compaction or truncation, until the context is cleared.
package copilotcli
