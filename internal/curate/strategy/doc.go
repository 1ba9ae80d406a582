// Package strategy holds the curation strategies: one file each, named as the
// strategy, with one row of the registry. A row is what the chain language knows
// of the strategy (its Spec) and how a stage of it is made.
//
// # How to write a stage
//
// A stage is an [engine.Stage]. At each provider call, Step gets the view before
// the stage (in) and the view after it (out). Both keep their messages from call
// to call, so a stage says only what changes:
//
//   - in.Changed lists the keys whose message appeared, changed or disappeared
//     since the call before. A stage decides about these again.
//   - It also decides again about keys whose answer changes for another reason: a
//     window that moves on, a budget that is passed. Find them with small indexes
//     (package keyset), never by a walk over the view: the cost of a call must not
//     depend on the length of the history.
//   - For each of them it calls out.Put(key, item, reason) or out.Drop(key, reason).
//     A key that is no longer live in the input must be dropped with [engine.Gone];
//     [engine.Pass] does either. Calling Put or Drop twice is harmless.
//
// A message is shortened or replaced by an [engine.Edit]: f.Edit returns an item
// that has the edited content, and an [engine.Memo] keeps it for the next call. The
// edit is applied when a view is read. Where texts may not be read (f.Reads) it
// estimates its size with Guess.
//
// Reasons have texts: a.because("older than %d messages", n) registers one when the
// stage is made. Every drop, change and addition needs a reason, of its own or of
// its edit.
//
// Calls and their results stay or go together. The unit of a key (in.UnitHead) is
// its group, or the message itself; decide about whole units, or use a sieve, which
// leaves out single calls with their results. Results may be late, early, repeated
// or without a call; a group may be in the view without its first message.
//
// A stage that needs more asks by an interface of package engine: an Inserter adds
// messages in slots of its own (embed [engine.OneSlot]), a Pinner protects messages,
// a Sparer leaves pinned messages out of what it makes, a SystemDropper can drop the
// leading system messages, a Lazy stage may start late.
//
// A stage must never look at anything later than its call, change its input, depend
// on map order or the time, read files, or start programs other than by f.Run.
//
// # How it is judged
//
// The test file of a strategy has its trial: the plain form, which runs over the
// whole view at each call, and chains for the judges. Tests fail for a strategy
// without a trial. All judges use the chains of all trials: the plain form, the
// properties of views (pairs whole, all explained, deterministic), what providers
// accept, loss, flow, and the growth of time with the history.
package strategy
