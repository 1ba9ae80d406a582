// Package atif reads trajectories in the Agent Trajectory Interchange Format,
// versions 1.0 to 1.8: one JSON document per agent, with its steps.
//
// Harbor (Terminal-Bench) writes such files to the agent's log folder as
// trajectory.json; exporters of other agents write them too. A run that was split
// continues in another file, trajectory.cont-1.json. Sub-agents have their own
// files or, since 1.7, are embedded in the document.
//
// Evidence: genuine files of version 1.5, and the published description of the
// format.
//
// Each step of a user or an agent becomes a message, and each observation with
// content a result. Embedded sub-agents become threads. A step with
// extra.context_management is a change of the context: at the boundary "replace" its
// observation and the steps after it are the context, so the views of the calls after
// it are reconstructed. Other boundaries do not define what was dropped.
//
// Traps: prompt_tokens includes the cached tokens. final_metrics may include
// sub-agents and earlier segments, so it is used only if it equals the sum of the
// steps. Steps of copied context repeat another file and are not calls of this run.
// An observation may lack a call id, or only refer to a sub-agent.
//
// This package must never follow a reference to another file. It must never claim
// that a view is recorded, because the format holds no requests.
package atif
