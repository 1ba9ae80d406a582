// Package opencode reads the sessions of OpenCode and of programs derived from it.
//
// Since version 1.2 sessions are stored in ~/.local/share/opencode/opencode.db (or
// $XDG_DATA_HOME). Earlier versions use the folder storage next to it, with one
// JSON file for each session, message and part. The package also reads the output
// of `opencode export`. Evidence: a database and a folder of the same genuine
// sessions; the program's own source for what is sent after a compaction or a
// pruning.
//
// A message row is a user message or one reply; its texts, calls and results are
// part rows. Sessions of sub-agents name their parent and become threads of its
// run.
//
// Compaction: a user message with a part of type compaction, answered by a reply
// marked as summary. From then on the provider received these two, the tail that
// the part names, and the messages after them. Pruning: a result whose state has
// time.compacted stays in the record, but a placeholder was sent. A reverted
// session keeps the messages that it hides until the next prompt.
//
// Traps: rows are ordered by id, not by time. A failed bash call is "completed",
// with an exit code. step-finish parts repeat the tokens of their message. Older
// versions count reasoning tokens in output; newer ones do not. Session ids descend
// while message ids ascend.
//
// It must never add an unfinished summary to a view.
package opencode
