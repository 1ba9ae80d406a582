// Package flujo reads what the workflow framework flujo keeps of its runs: its
// SQLite database (flujo_ops.db in the working folder, or where FLUJO_STATE_URI
// or flujo.toml points) and the JSON that `flujo run --debug-export` writes.
//
// Evidence: flujo's source from July 2025 to February 2026, and files its own
// runner wrote at the oldest and the newest schema of that time. Columns came
// and went without the schema version telling, so every column is asked for by
// all its names and every table may be absent.
//
// Traps:
//
//   - runs.status says "completed" of a paused run; workflow_state.status is right.
//   - The database never holds a prompt, nor any event of a span. What a model
//     was sent is known from debug exports only; everything else says "not recorded".
//   - Turns prove nothing about injection: flujo records them in any pause for a
//     person, and from October 2025 on it records them without injecting them.
//   - Cost and token columns are NULL; the numbers are in step_history, whose
//     nested entries repeat what their parents already count.
//   - Times of spans are seconds of the machine's uptime, not dates.
//   - A conversation may begin with the assistant and may say things twice.
//
// Threads: the conversation, which is one for the whole run whatever its loops;
// below it one for each step and nested loop, which tell the tree and hold the
// calls made outside the conversation. A run without turns has the steps alone,
// each with its recorded input and output, marked as put together. What a turn
// came from is derived by comparing texts and marked so.
//
// The room must never write, say "conversation injected" of a database, rebuild
// a prompt (that is for the strategies to try), or split token totals.
package flujo
