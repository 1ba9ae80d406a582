// Package spans builds runs from recorded operations: the trees of spans that trace
// stores and instrumentations write under several names (spans, observations, runs).
// The formats langfuse, langsmith, mlflow and otlp-genai decode operations, and this
// package finds the conversations in them. Package shapes decodes the messages.
//
// Rules. Operations of one session form one run; others form one run per trace. An
// operation of a model is one provider call, unless it contains another one: then it
// is a wrapper, whose figures repeat those of its children. Each call repeats the
// history. Calls under one agent whose requests continue one another form one thread,
// and each request is the recorded view of its call. A request that continues none is
// a thread of its own, so that its messages are not lost. An operation of a tool
// answers its call if no message does. If no words are recorded at all, the tools'
// operations are the calls and the results.
//
// Traps: records repeat an operation (begun, then ended; with and without its texts),
// have no order, and name parents that are not in the file. They usually lack texts,
// because recording texts is off by default.
//
// It must never claim that a provider received what no operation records, nor count a wrapper's tokens.
package spans
