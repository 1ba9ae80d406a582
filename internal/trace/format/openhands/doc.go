// Package openhands reads the events of OpenHands conversations, of both eras.
//
// The first era wrote trajectory.json, a list of actions and observations, and for
// benchmarks output.jsonl, a row per task with its history. The second era, the
// current SDK and CLI, keeps ~/.openhands/conversations/<id>/ with base_state.json
// and events/event-<n>-<id>.json, one file per event. Such events also appear as
// lists and as JSON Lines. The package opens base_state.json, a list, or a file of
// lines.
//
// Evidence: the events that the program's own code declares, and its published
// description; no genuine file was available.
//
// Actions with the same response id become one reply and one provider call. A
// condensation names the events that later requests omit and the summary that
// replaces them, so views can be reconstructed.
//
// Traps: an observation of the first era names its action by cause, and names a
// call only if the model called a tool. Usage accumulates over the run. Prompt
// tokens include cached ones. State updates and recalled knowledge are not
// messages.
//
// It must never read files other than the events folder next to a base_state.json.
package openhands
