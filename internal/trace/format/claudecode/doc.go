// Package claudecode reads the session files of Claude Code.
//
// They live in ~/.claude/projects/<dir>/<session>.jsonl (CLAUDE_CONFIG_DIR moves
// the root), with the sub-agents of a session beside them in
// <session>/subagents/agent-<id>.jsonl; before about 2.1 those were siblings
// agent-<id>.jsonl, before about 2.0 sidechain records inside the main file.
// Results too long for a session stand in <session>/tool-results/<id>.txt.
// Claude Desktop's code tab, Cowork and SDK runs write the same.
//
// Evidence: genuine files of versions 2.1.16 to 2.1.239. Traps that are met here:
//
//   - one record per content block: records that share message.id are one reply,
//     and each repeats the usage;
//   - the records form a tree: the live conversation is the chain from the leaf
//     up, with every record of a reply on the chain and every result of a call on
//     it; a parent that is not in the file means the record before it;
//   - a compaction boundary starts a new chain; what was before it stays in the
//     thread, and an edit says what the provider saw from there on;
//   - records may stand twice, and lines may be torn or unknown.
//
// The reader makes one pass over the file and keeps positions, not texts.
package claudecode
