// Package chat decodes messages of the OpenAI Chat Completions interface: {role,
// content, tool_calls, tool_call_id, …}. Many programs store conversations in this
// form, so openai-chat, conversation-store, wink, inspect, swe-agent, langgraph and
// others share it. The package also adds what every run derives from its messages:
// times, titles and shortened texts. Package members reads JSON that may be invalid.
//
// Evidence: the provider's interface reference, the output of LiteLLM, OpenHands
// and OpenAI-compatible servers, and the store of lifemodel.
//
// Traps: content is a string, null or a list of parts. The arguments of a call are a
// JSON text that may be invalid. Results may be in another order than their calls.
// The old function_call and its function message have no id, so only their order
// pairs them. Compatible servers put thinking in reasoning_content, reasoning or
// reasoning_details.
//
// It must never rewrite a message: the whole object is kept as the message's origin,
// so that unknown members survive a re-export.
package chat
