// Package codex reads the rollout files of Codex (CLI, desktop app, editor
// extension).
//
// They live in ~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl and in
// ~/.codex/archived_sessions (CODEX_HOME moves the root); old ones may be packed
// with zstd.
//
// Evidence: genuine files of version 0.142 and the program's own source; the
// bare items of mid-2025 (before the envelope of type and payload) second-hand.
// Traps that are met here:
//
//   - only response items are the conversation: events mirror it for the screen;
//   - replies have no id: a reply is a run of items the model made, ended by a
//     result, another message, a marker, a turn, or a request's token count;
//   - token counts are cumulative and often written twice: only a total that
//     differs from the one before is a request;
//   - a fork or a sub-agent starts with copies of its parent's records: messages,
//     but neither requests nor usage of this run;
//   - `compacted` records hold the history that replaced the conversation; they
//     can be most of a file and are never kept;
//   - a rollback takes the last turns out of the thread; what they used was used.
//
// The reader makes one pass over the file and keeps positions, not texts.
package codex
