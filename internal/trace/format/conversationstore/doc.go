// Package conversationstore reads the conversation store of lifemodel: one JSON
// document per recipient. The document holds the messages, a status and, in the
// first releases, the summary of compacted messages.
//
// Such files are stored in data/state/conversation/<recipient>.json below the
// application. Older stores are flat files named conversation:<recipient>.json. The
// previous state of a file is kept next to it as <recipient>.backup.json and is a
// separate source.
//
// Evidence: the store's own code (conversation manager, JSON storage), files
// written by it, and its published description.
//
// Traps: compaction removes messages from the file, and since March 2026 the
// summary is stored elsewhere, so a short file may be a long conversation. A
// summary in the file is newer than some of the messages, so only later requests
// contained it. Results are stored in order of arrival, not in the order of their
// calls. Results are stored truncated. After a crash a file may hold two
// concatenated objects; the program itself continues with the first.
//
// This package must never open a backup by itself or guess what a compaction removed.
package conversationstore
