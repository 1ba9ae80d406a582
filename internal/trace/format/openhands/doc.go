// Package openhands reads the events of OpenHands conversations, of both eras.
//
// The first era wrote trajectory.json, a list of actions and observations, and for
// benchmarks output.jsonl, a row per task with its history. The second era, the
// SDK and the CLI of today, keeps ~/.openhands/conversations/<id>/ with
// base_state.json and events/event-<n>-<id>.json, one file per event; such events are
// passed around as lists and as JSON Lines too. Opened is base_state.json, a list,
// or a file of lines.
//
// Evidence: the events that the program's own code declares, and its published
// description; no genuine file was at hand.
//
// What it makes of them: actions with one response id are one reply and one
// provider call. A condensation names the events later requests leave out and the
// summary that stands for them, so that views can be reconstructed.
//
// Traps: an observation of the first era names its action by cause, and a call id
// only where the model called a tool; usage is counted up over the run; prompt tokens
// hold the cached ones; state updates and recalled knowledge are no messages.
//
// It must never read other files than the events folder beside a base_state.json.
package openhands
