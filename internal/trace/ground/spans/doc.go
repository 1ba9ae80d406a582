// Package spans makes runs of recorded operations: the trees of spans that trace
// stores and instrumentations write, whatever they call them (spans, observations,
// runs). The readers of such records (langfuse, langsmith, mlflow, otel) hand over
// their operations, and this package finds the conversations in them, so that the
// rules live once. What a message says it leaves to shapes.
//
// The rules. Operations that name one session are one run, others of one trace
// are. An operation of a model is one provider call, unless it contains another
// of them: then it is a wrapper, whose figures repeat what is inside. Each call
// repeats the history, so that calls under one agent whose requests continue one
// another are one thread, and each request is the recorded view of its call. A
// request that continues nothing is a thread of its own: its messages would be
// lost otherwise. An operation of a tool answers its call where no message does.
// Where no words were recorded at all, the tools' operations are the calls and
// the results.
//
// Traps: records repeat an operation (begun, then ended; with and without its
// texts), come in no order, name parents that are not in the file, and lack the
// texts more often than not, as recording them is off by default.
//
// It must never say that a provider saw what no operation records, nor count a
// wrapper's tokens.
package spans
