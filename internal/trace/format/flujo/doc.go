// Package flujo reads the run records of the workflow framework flujo: its
// SQLite database (flujo_ops.db in the working folder, or the path from
// FLUJO_STATE_URI or flujo.toml) and the JSON of `flujo run --debug-export`.
//
// Evidence: flujo's source from July 2025 to February 2026, and files that flujo
// itself wrote with the oldest and the newest schema of that time. Columns changed
// without a change of the schema version. The reader therefore tries every known
// name of a column, and any table may be missing.
//
// Traps:
//
//   - runs.status says "completed" for a paused run; workflow_state.status is right.
//   - The database never holds a prompt or a span event. Only debug exports show
//     what a model received; for databases the basis is "not recorded".
//   - Turns do not prove injection: flujo records them at every pause for a person,
//     and since October 2025 it records turns that it does not inject.
//   - Cost and token columns are NULL. The numbers are in step_history, where a
//     parent already includes the numbers of its nested entries.
//   - Span times are seconds of system uptime, not dates.
//   - A conversation may begin with the assistant and may repeat a text.
//
// Threads: a run has one conversation thread, which all its loops share. Below it,
// each step and nested loop has a thread for the calls outside the conversation. A
// run without turns has step threads only. Each shows the recorded input and output
// of its step and is marked as reconstructed. The reader derives the source of a
// turn from its text and marks it as derived.
//
// This package must never write to a source, say "conversation injected" for a
// database, rebuild a prompt (the strategies do that) or split token totals.
package flujo
