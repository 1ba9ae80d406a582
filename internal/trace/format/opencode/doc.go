// Package opencode reads the sessions of OpenCode and of its relatives.
//
// Where they live: ~/.local/share/opencode/opencode.db (or $XDG_DATA_HOME) since
// version 1.2; before, the folder storage beside it, with one JSON file for each
// session, message and part; and what `opencode export` prints. Evidence: a
// database and a folder of the same genuine sessions, the program's own source
// for what is sent after a compaction and after pruning.
//
// A message row is a user's or one reply; its texts, calls and results are part
// rows. Sessions of sub-agents name their parent: they are threads of its run.
//
// Compaction: a user message with a part of type compaction, answered by a reply
// marked as summary. From then on the provider got these two, the tail the part
// names, and what followed. Pruning: a result whose state has time.compacted
// stays in the record and went out as a placeholder. A reverted session keeps
// the messages it hides until the next prompt.
//
// Traps: rows go by their ids, not by time; a bash call that failed is
// "completed", with an exit code; step-finish parts repeat the tokens of their
// message; output held the reasoning tokens in older versions and does not in
// newer ones; session ids fall while message ids rise.
//
// It must never add a summary that did not come to an end to a view.
package opencode
