// Package pi reads the session files of Pi and of the programs that write the
// same: OpenClaw, oh-my-pi.
//
// They live in ~/.pi/agent/sessions/--<folder>--/<time>_<id>.jsonl
// (PI_CODING_AGENT_DIR moves the root) and ~/.openclaw/agents/<id>/sessions.
//
// Evidence: a genuine file of version 3 and the published description of the
// format; versions 1 and 2 second-hand. Traps that are met here:
//
//   - the entries form a tree; the conversation is the way from the last entry
//     to the root, whatever kind the last entry is;
//   - version 1 is one line of entries without ids, and its compactions name the
//     first entry kept by its place in the file, header included;
//   - a compaction keeps entries from one before it on; its summary is no message;
//   - usage is recorded disjoint and in dollars; what other branches used was used.
//
// The reader makes one pass over the file and keeps positions, not texts.
package pi
