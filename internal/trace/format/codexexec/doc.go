// Package codexexec reads what `codex exec --json` prints, where somebody kept it:
// the events of a run as lines {type, …}.
//
// Such files lie where a script or a pipeline put them. Types: thread.started
// {thread_id}, turn.started, turn.completed{usage}, turn.failed{error},
// item.started, item.updated and item.completed{item{id, type, …}}, error{message}.
// Items: agent_message{text}, reasoning{text}, command_execution{command,
// aggregated_output, exit_code, status}, file_change{changes, status},
// mcp_tool_call{server, tool, arguments, result, error, status},
// web_search{query}, todo_list{items}, error{message}.
//
// Evidence: the program's own documentation, second-hand.
//
// Traps: what was asked is not recorded; an item is told up to three times, and
// the last tells all; a call and its result are one item; the usage of a turn is
// the total of the thread so far; nothing tells which items were one reply.
//
// It must never make up a prompt, nor add the usage of turns up.
package codexexec
