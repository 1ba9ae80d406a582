// Package sweagent reads the trajectories of SWE-agent and mini-swe-agent, two
// related programs with different formats.
//
// SWE-agent writes trajectories/<user>/<run>/<instance>/<instance>.traj, one JSON
// document with trajectory (its steps), history (its messages) and info. A step may
// hold the messages that were sent, after the history processors removed or
// shortened old messages. This list is the recorded view. It is named query, or
// messages in some 1.0 files.
//
// mini-swe-agent writes *.traj.json: info, messages and trajectory_format; its
// first versions wrote only the list of messages. It sends every message at every
// call, but does not record the request.
//
// Evidence: a genuine file of mini-swe-agent's first form; the programs' source for
// the other forms.
//
// Traps: text observations are user messages. A demonstration is part of the
// history and not a call. One call id may occur several times. A step with an
// unusable reply appears in the trajectory but not in the history. tokens_sent is a
// sum over the run that includes cached tokens. The last message of mini-swe-agent
// may have the role exit; no model saw it.
//
// This package must never treat the history as a call's view if a query is
// recorded.
package sweagent
