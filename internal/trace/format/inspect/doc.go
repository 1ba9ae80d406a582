// Package inspect reads the logs of Inspect evaluations: one run for every
// sample and epoch.
//
// Such files live in ./logs of a project as <time>_<task>_<id>.eval, a zip with
// a JSON document per sample, or .json, one document. Zip entries are deflated or,
// since 2026, packed with zstd; the archive of a running evaluation has no
// header.json yet, and its _journal tells what was begun.
//
// Evidence: genuine logs, and the log model that Inspect's own code declares.
//
// What it makes of them: sample.messages is the main thread. Every model event is
// a provider call with its input as the recorded view. Calls whose conversation is
// not the sample's (sub-agents, graders) become threads of their own, one per
// conversation that goes on. All other events are documents, by kind.
//
// Traps: long texts of events stand in the sample's attachments, named by
// attachment://<hash>, while sample.messages holds them in full; newer logs keep the
// inputs of model events in a pool and name ranges of it; input tokens hold the
// cached ones for some providers only, which the total tells; a call answered from
// Inspect's own cache went to no provider; NaN occurs.
//
// It must never unpack more than it has room for, nor take the messages a sample
// ended with for what every call was sent.
package inspect
