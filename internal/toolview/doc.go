// Package toolview describes what a tool call did: a row with a verb, an object and an outcome, and a body of
// blocks such as diffs, commands and checklists.
//
// One table lists the tools of known agents. Other tools get a guess from their arguments and
// results. The package formats texts for people: what it returns is not safe to show and must pass
// the gate. It must never open a file, never panic on hostile text, and read each text a bounded
// number of times.
package toolview
