// Package langgraph reads the checkpoints that LangGraph's SqliteSaver keeps.
//
// Where they live: wherever the program that owns the graph puts them, often
// checkpoints.sqlite or state.db in the folder of a project. Evidence: a genuine
// database of 2024 (JSON); the serializer's own source for msgpack, which newer
// ones write.
//
// A checkpoint is the whole state of a graph after a step, so each repeats all
// messages. One thread_id is one run: from its newest checkpoint back along the
// parents, every message that ever was in the state, in the order of its first
// appearance. Messages that a later state lacks were removed; where the channel
// summary changed in the same step, that is a compaction. A namespace that is not
// empty is a subgraph: a thread of its own.
//
// Traps: a channel is a list of messages only by what is in it; a message may be
// replaced under its id; subgraphs hold copies of their parent's messages, which
// are messages but no calls; pickled values must not be unpickled; nodes may
// shorten or extend the state's messages before they call a model, and of that
// nothing is recorded.
//
// It must never say that a summary in the state was sent.
package langgraph
