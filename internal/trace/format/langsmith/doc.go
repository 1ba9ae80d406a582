// Package langsmith reads runs of the LangSmith trace store: lists and lines of
// runs, {"runs": …}, runs with their children inside, and batches {post, patch} as
// clients send them in.
//
// Evidence: the client library's published source and its genuine test record; the
// LangChain message serialisation.
//
// Traps: session_id is the project and no conversation; a run is sent in two
// pieces that share an id; messages are OpenAI's, or LangChain's constructors in a
// list of lists, or plain dictionaries with a type; usage stands in four places;
// input tokens hold the cached ones; a model's run may contain another that says
// the same (a wrapper).
//
// It must never add up the figures of a wrapper, nor show a run twice because its
// end was sent apart.
package langsmith
