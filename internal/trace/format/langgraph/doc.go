// Package langgraph reads the checkpoints of LangGraph's SqliteSaver.
//
// The program that owns the graph chooses the path, often checkpoints.sqlite or
// state.db in the folder of a project. Evidence: a genuine database of 2024 (JSON);
// the serializer's own source for msgpack, which newer versions write.
//
// A checkpoint is the whole state of a graph after a step, so each one repeats all
// messages. One thread_id is one run. Its messages are all messages of the newest
// checkpoint and its ancestors, in the order of their first appearance. Messages
// that a later state lacks were removed; if the channel summary changed in the same
// step, the removal is a compaction. A non-empty namespace is a subgraph and
// becomes a separate thread.
//
// Traps: only its content shows that a channel is a list of messages. A message may
// be replaced under its id. Subgraphs hold copies of their parent's messages, which
// are messages but not calls. Pickled values must not be unpickled. Nodes may
// shorten or extend the messages before they call a model, and the record does not
// show it.
//
// It must never claim that a summary in the state was sent.
package langgraph
