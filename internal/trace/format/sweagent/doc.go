// Package sweagent reads the trajectories of SWE-agent and of mini-swe-agent: two
// formats of related programs.
//
// SWE-agent writes trajectories/<user>/<run>/<instance>/<instance>.traj, one JSON
// document with trajectory (its steps), history (its messages) and info. A step may
// hold query, or messages in some 1.0 files: what was sent, after the history
// processors removed or shortened old messages. That is the recorded view.
//
// mini-swe-agent writes *.traj.json: info, messages and trajectory_format; its
// first versions wrote only the list of messages. It sends every message at every
// call, but does not record the request.
//
// Evidence: a genuine file of mini-swe-agent's first form; the programs' own code
// for the others.
//
// Traps: text observations are user messages. A demonstration is part of the
// history and not a call. One call id may occur several times. A step with an
// unusable reply appears in the trajectory but not in the history. tokens_sent is a
// sum over the run that includes cached tokens. The last message of mini-swe-agent
// may have the role exit; no model saw it.
//
// This package must never use the history as what was sent if a query is recorded.
package sweagent
