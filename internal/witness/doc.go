// Package witness compares the prompts of a run, as the provider counted them, with what
// the record says was sent. The counts prove that a prompt was only appended to, or that
// it shrank without a recorded reason, and they show where the provider's cache was lost.
//
// The package must never read a text and must never claim more than the counts prove.
package witness
