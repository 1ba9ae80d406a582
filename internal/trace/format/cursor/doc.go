// Package cursor reads the agent transcripts of Cursor.
//
// They live in ~/.cursor/projects/<project>/agent-transcripts/<id>/<id>.jsonl,
// those of sub-agents in subagents/ beside them: runs of their own here. The
// databases of the editor (state.vscdb, store.db) hold more and are not read.
//
// Evidence: second-hand, several readers that agree. Traps that are met here:
//
//   - lines have neither ids nor times, and tell no model, tokens or results;
//   - a line is written after its tools ran, so that a call without a result is
//     not pending: its result is not recorded;
//   - a prompt stands in <user_query>, behind what the editor put before it;
//   - `turn_ended` lines do not come with every turn.
//
// The reader makes one pass over the file and keeps positions, not texts. It
// must never guess which result answers which call.
package cursor
