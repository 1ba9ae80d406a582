// Package inspect reads the logs of Inspect evaluations: one run for every sample
// and epoch.
//
// Such files are stored in ./logs of a project as <time>_<task>_<id>.eval, a zip
// with a JSON document per sample, or as .json, one document. Zip entries are
// deflated or, since 2026, compressed with zstd. The archive of a running
// evaluation has no header.json yet; its _journal lists what has started.
//
// Evidence: genuine logs, and the log model that Inspect's own code declares.
//
// sample.messages becomes the main thread. Every model event becomes a provider
// call with its input as the recorded view. Calls outside the sample's conversation
// (sub-agents, graders) become separate threads, one per conversation. All other
// events become documents, by kind.
//
// Traps: events store long texts in the sample's attachments, named by
// attachment://<hash>, while sample.messages holds them in full. Newer logs keep
// the inputs of model events in a pool and refer to ranges of it. Only some
// providers include cached tokens in the input; the total shows which. A call
// answered from Inspect's own cache reached no provider. NaN occurs.
//
// It must never decompress more than its limits allow, nor claim that every call
// was sent the messages at the end of the sample.
package inspect
