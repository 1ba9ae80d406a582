// Package store reads the conversation store of lifemodel: one JSON document per
// recipient with its messages, status and, in the first releases, the summary of
// what was compacted away.
//
// Such files live in data/state/conversation/<recipient>.json below the
// application; older stores are flat files named conversation:<recipient>.json.
// The previous state of a file stands beside it as <recipient>.backup.json and is
// a source of its own.
//
// Evidence: the store's own code (conversation manager, JSON storage), files
// written by it, and its published description.
//
// Traps: compaction removes messages from the file, and since March 2026 the
// summary is kept elsewhere, so that a short file need not be a short
// conversation; a kept summary was made after the messages that are left, so that
// only later requests saw it; results stand in the order they came in, not in the
// order of their calls; results are stored cut; two objects glued together occur
// after a crash, and the first is the one the program itself goes on with.
//
// It must never follow a backup by itself nor guess what a compaction removed.
package conversationstore
