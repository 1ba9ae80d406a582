// Package demo holds the built-in run: a coding session of some 130 messages in
// the session format of Claude Code, to be opened by the reader of that format
// like any file of a user's.
//
// An engineer asks an agent why invoices are a cent off, and sets three
// conditions. The context is cut twice on the way, old tool results first and then
// everything before a summary; the summary has lost the conditions, and the agent
// goes on to break them. So the run has one of most things a record can have:
// parallel, failed and nested calls, a sub-agent, injected texts, a branch that was
// taken back, retries, both kinds of compaction, sealed thinking, and fake secrets
// of nine kinds, some terminal escape sequences and wide characters in what tools
// printed.
//
// tools/demo-run writes the file. It stays compressed because it is the only file of
// this repository that contains the fake secrets whole. Never unpack it into the tree.
package demo

import (
	_ "embed"

	"agentlens/internal/trace/ground/source"
)

//go:embed demo.jsonl.gz
var packed []byte

// Name is the path of the built-in run.
const Name = "demo"

// Open opens the built-in run. The caller closes it.
func Open() (*source.File, error) {
	return source.FromBytes(Name, packed)
}
