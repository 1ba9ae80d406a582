// Package atif reads trajectories in the Agent Trajectory Interchange Format, from
// version 1.0 to 1.8: one JSON document per agent, with its steps.
//
// Such files are written by Harbor (Terminal-Bench) into the agent's log folder as
// trajectory.json, and by exporters of other agents. A run that was split goes on
// in another file, trajectory.cont-1.json; sub-agents are files of their own or,
// since 1.7, stand inside of the document.
//
// Evidence: genuine files of version 1.5, and the format's published description.
//
// What it makes of them: each step of a user or an agent is a message, each
// observation with content a result. Embedded sub-agents are threads.
//
// Traps: prompt_tokens hold the cached ones; final_metrics may include sub-agents
// and earlier segments, so they count only where they equal the sum of the steps;
// steps of copied context repeat another file and were no calls of this one; an
// observation may name no call, or only refer to a sub-agent.
//
// It must never follow a reference to another file by itself, and never say what a
// provider was sent: the format does not record it.
package atif
