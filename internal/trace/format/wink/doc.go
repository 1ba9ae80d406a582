// Package wink reads what WINK (weakincentives) leaves on disk: session
// snapshots, alone or one per line; debug bundles; transcripts, logs and slices
// by themselves.
//
// Such files: <root session id>.jsonl written by the session dump (to v0.20),
// debug bundles <bundle id>_<date>_<time>.zip (since v0.21), checkpoint files
// written by hand, <module>.<Class>.jsonl slices (opt-in).
//
// Evidence: the library's code in all releases and its unmerged branches, files
// written by running it, and its specifications. InnerMessage was coded on a
// branch only; ConversationEntry and TaskHistory exist as specifications.
//
// A run is a session with its children; a thread is an evaluation. The best
// witness of a conversation comes first: transcript, then InnerMessage or
// ConversationEntry, then tool and prompt events put in the order of their times.
//
// A rendered prompt is folded by section: a document for each, named with how much
// of it was shown. Several snapshots of one session are one run: the newest whole
// one is shown, the others are documents beside a timeline of them all.
//
// Traps: version is "1" in every release, so shapes are known by their keys;
// module paths move, so slices are known by class name; slices stand in the order
// of their names, not of time; the session's id is a tag; by default a snapshot
// leaves out its log slices and with them the conversation; opening a section
// makes a session unserialisable, so that a successful bundle can lack its last
// snapshot; the status of an InnerMessage call is never kept up; call ids are
// unique within an evaluation only; sequence numbers of a transcript start anew in
// every round; rendered_output is cut at 1,000 characters; a token count does not
// say whether it holds the cached tokens.
//
// It must never trust a status over a result, add the usage of tool events to
// that of prompts, nor say what a provider was sent: no WINK record holds it.
package wink
