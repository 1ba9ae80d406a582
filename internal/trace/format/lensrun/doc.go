// Package lensrun reads lens.run/1, the JSON that lens show --json prints: one run per line. A reader program of
// the user writes the same lines, see docs/readers.md.
//
// A program may leave members out. Without "calls", every assistant message is the reply of a call that was given
// the messages before it, and what was sent is not recorded. A marker "compaction" or "context_cleared" starts a new
// context after its message.
//
// Evidence: outputs of lens itself.
//
// Traps: texts of lens.run/1 are masked, so an output that is read again shows the masks. The positions of the
// original records are gone. "index" and "given" may be missing or wrong: messages count in the order of the list.
//
// This package must never claim more about a call than its line says.
package lensrun
