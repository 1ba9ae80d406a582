// Package shapes decodes messages of any provider or framework.
//
// Trace stores and instrumentations record whatever a framework handed to a provider:
// OpenAI chat messages, Responses items, Anthropic and Gemini contents, the parts of
// OpenTelemetry, OpenInference, LangChain, pydantic-ai and the Vercel kit. These
// differ little except in the names of their members, so one table of kinds reads
// them all. Packages spans and history use it. Readers of a provider's own bodies
// know one form thoroughly and do not.
//
// Evidence: the interface references of the providers, the OpenTelemetry and
// OpenInference conventions, and the published sources of the frameworks.
//
// Traps: a value may be JSON inside a JSON string, even twice. A list of messages may
// be a list of lists. One record may contain several results, each of which is a
// message. A reply may span several items. Arguments are a JSON text or an object.
//
// [Request] and [Reply] check the values that they decode. The other functions decode
// values that were checked before, such as the members of an object.
//
// It must never take a value for a message if it has neither a role nor a member that
// only messages have, nor change a text.
package shapes
