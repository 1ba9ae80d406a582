// Package langfuse reads exports of the Langfuse trace store: a trace with its
// observations as the web interface downloads it, pages of the public API, lists or
// lines of traces or observations, and batches as clients send them.
//
// Evidence: the store's published API and source; a genuine trace file.
//
// Traps: a trace file holds every observation twice, once without its texts. Inputs
// and outputs are JSON, JSON in a string, or doubly encoded JSON, in the form of
// the framework. Types may be upper or lower case. Clients send an observation in
// pieces. Newer clients count only uncached input; older ones count the whole
// prompt. The total shows which.
//
// It must never add up the usage of a generation that contains another.
package langfuse
