// Package shapes brings messages of any provider's or framework's form to one.
//
// Programs that observe others (trace stores, instrumentations) write down
// whatever a framework handed to a provider: OpenAI chat messages, Responses
// items, Anthropic and Gemini contents, the parts of OpenTelemetry, OpenInference,
// LangChain, pydantic-ai and the Vercel kit. These differ in the names of their
// members and little else, so that one table of kinds reads them all. Readers of
// observability records stand on this package (spans and its families), and those
// of conversations a framework keeps (history and its families); those of a
// provider's own bodies, which know one form thoroughly, do not.
//
// Evidence: the interface references of the providers, the OpenTelemetry and
// OpenInference conventions, and the published sources of the frameworks.
//
// Traps: a value may be JSON inside a JSON string, twice over; a list of messages
// may be a list of lists; one record may hold several results, each of which is a
// message; a reply may be spread over several items; arguments are a JSON text or
// an object.
//
// It must never take a value for a message that names neither a role nor anything
// only messages have, nor change a text.
package shapes
