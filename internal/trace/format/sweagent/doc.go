// Package sweagent reads the trajectories of SWE-agent and of mini-swe-agent: two
// programs of one house, two formats.
//
// SWE-agent writes trajectories/<user>/<run>/<instance>/<instance>.traj, one JSON
// document with trajectory (its steps), history (its messages) and info. A step
// may hold query, or messages in some 1.0 files: what was sent, after the history
// processors left out or shortened what is old. That is the recorded view.
//
// mini-swe-agent writes *.traj.json: info, messages and trajectory_format; its first
// versions wrote the bare list of messages. It sends every message at every call,
// but does not record the request.
//
// Evidence: a genuine file of mini-swe-agent's first form, what the programs'
// own code declares for the others.
//
// Traps: text observations are user messages; a demonstration is part of the
// history and no call; one call id may occur several times; a step whose reply
// could not be used stands in the trajectory and not in the history; tokens_sent is
// a sum over the run in which cached tokens are not told apart; the last message of
// mini-swe-agent may have the role exit, which no model saw.
//
// It must never take the history for what was sent where a query is recorded.
package sweagent
