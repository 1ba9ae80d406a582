// Package langgraph reads the checkpoints of LangGraph's SqliteSaver.
//
// The program that runs the graph chooses the path, often checkpoints.sqlite or
// state.db in a project folder. Evidence: a genuine database of 2024 (JSON); the
// serializer's own source for msgpack, which newer versions write.
//
// A checkpoint is the whole state of a graph after a step, so each one repeats all
// messages. One thread_id is one run. Its messages are all messages of the newest
// checkpoint and its ancestors, in the order of their first appearance. Messages
// missing from a later state were removed; if the channel summary changed in the
// same step, the removal is a compaction. A non-empty namespace is a subgraph and
// becomes a separate thread.
//
// Traps: only the content of a channel shows whether it is a list of messages. A
// message may be replaced under its id. Subgraphs contain copies of their parent's
// messages. The copies are messages but do not count as calls. Pickled values must
// not be unpickled. Nodes may shorten or extend the messages before they call a
// model, and the record does not show such changes.
//
// This package must never claim that a summary in the state was sent to a model.
package langgraph
