// Package requestfolder reads a folder with the requests of one conversation, one or
// several per file: raw bodies, LiteLLM logs, captures.
//
// Programs that log each request write such folders. The messages of the files extend
// one another, so the files are one run: one thread, with one call per request and its
// recorded view. A request and its response may be two files that follow each other.
//
// Evidence: genuine LiteLLM logs and captures, one file each; the folders of the tests are synthetic.
//
// A folder is a source only if every file holds requests or responses of a provider and all of them join into
// one conversation. Unrelated files, and the files of folders with subfolders, remain separate sources.
//
// Traps: only some records hold their time, and names are only usually in order. The
// first order that joins all files counts: the recorded time, the names, the time of
// the last change, the size. A request repeats the history, so the largest file holds
// most of the conversation, and its usage is that of its own request only.
//
// This package must never read more of a folder than it needs to reject it, nor join
// files whose conversations do not overlap.
package requestfolder
