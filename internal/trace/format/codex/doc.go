// Package codex reads the rollout files of Codex (CLI, desktop app, editor
// extension).
//
// The files are ~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl and those in
// ~/.codex/archived_sessions (CODEX_HOME moves the root). Old files may be compressed
// with zstd.
//
// Evidence: genuine files of version 0.142 and the source of Codex. The bare items of
// mid-2025, before the envelope of type and payload, are second-hand.
//
// Traps:
//
//   - Only response items are the conversation. Events repeat it for the screen.
//   - Replies have no id. A reply is a run of items from the model. It ends at a
//     result, another message, a marker, a turn or a request's token count.
//   - Token counts are cumulative and often repeated. Only a total that differs from
//     the previous one is a request.
//   - A fork or a sub-agent starts with copies of its parent's records. They are
//     messages, but not requests or usage of this run.
//   - A `compacted` record holds the history that replaced the conversation. It can
//     be most of the file.
//   - A rollback removes the last turns from the thread. Their usage still counts.
//
// The reader makes one pass over the file and keeps positions, not texts. It must
// never keep the history of a `compacted` record.
package codex
