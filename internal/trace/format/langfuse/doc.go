// Package langfuse reads exports of the Langfuse trace store: a trace with its
// observations as the interface downloads it, pages of the public interface, lists
// or lines of traces or observations, and batches as clients send them in.
//
// Evidence: the store's published interface and source; a genuine trace file.
//
// Traps: a trace file holds every observation twice, once without its texts;
// inputs and outputs are JSON, JSON in a string, or that twice over, and in
// whatever form the framework had; types are in capitals or not; an observation is
// sent in pieces; the uncached input is what usage counts in newer clients, the
// whole prompt in older ones: the total tells which.
//
// It must never add up the figures of a generation that contains another.
package langfuse
