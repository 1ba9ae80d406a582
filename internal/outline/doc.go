// Package outline makes the tree of what an agent did in a thread: the iterations and
// steps of a loop, the plan steps of a task, the turns of an evaluation.
//
// A tree is a list of nodes in depth-first order, so its size and the time to make it
// grow with the thread, not with its depth. Every call is under exactly one leaf.
//
// The package must never read a text, and never claim a state that is not recorded.
package outline
