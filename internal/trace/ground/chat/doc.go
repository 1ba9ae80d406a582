// Package chat decodes messages in the shape of the OpenAI Chat Completions
// interface: {role, content, tool_calls, tool_call_id, …}. Many programs store
// their conversations so; the readers of messages, store, wink, inspect, sweagent,
// langgraph and others stand on it, and the shape lives here once. It also has
// what every run needs of its messages: times, titles, texts cut to fit. JSON that
// need not be well-formed is read by [agentlens/internal/trace/ground/members].
//
// Evidence: the provider's interface reference, the output of LiteLLM, OpenHands
// and OpenAI-compatible servers, and the store of lifemodel.
//
// Traps: content is a string, null or a list of parts; the arguments of a call
// are a JSON text that need not be valid JSON; results may stand in another order
// than their calls; the old function_call and its function message carry no id,
// so that their pairing is by place only; compatible servers put thinking in
// reasoning_content, reasoning or reasoning_details.
//
// It must never rewrite a message: the whole object as it was written is kept as
// the message's origin, so that unknown members survive a re-export.
package chat
