// Package curate shows what a history-curation strategy would have sent at every provider
// call of a thread, and what was sent according to the record. It gives access to the
// packages below:
//
//	chain      the language of strategy chains
//	engine     runs a chain over every call of a thread in one pass
//	strategy   the strategies, one file each
//	evidence   content on which recorded replies are based, and how much a view lost
//
// A strategy is a pure, deterministic function (state, history, call) → (view,
// state). The package never opens a file and never starts a program: texts come
// from the given run, and programs are run by the caller's [Runner].
package curate
