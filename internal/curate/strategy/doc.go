// Package strategy holds the curation strategies. Each has a file with its name and one
// row of the registry: its description for the chain language (a Spec), and the function
// that makes its stage.
//
// # How to write a stage
//
// A stage is an [engine.Stage]. At each provider call, Step gets the view before the stage
// (in) and the view after it (out). Both keep their messages from call to call, so a stage
// only writes changes:
//
//   - in.Changed returns the keys whose message appeared, changed or disappeared since the
//     previous call. The stage decides about these again.
//   - It also decides again about keys whose decision changes for another reason, such as a
//     window that moves or a budget that is exceeded. Find them with small indexes (package
//     keyset), never by walking the view: the cost of a call must not depend on the length
//     of the history.
//   - For each key it calls out.Put(key, item, reason) or out.Drop(key, reason). A key that
//     is no longer live in the input must be dropped with [engine.Gone]; [engine.Pass] does
//     either. Calling Put or Drop twice is harmless.
//
// An [engine.Edit] shortens or replaces a message. f.Edit returns an item with the edited
// content, and an [engine.Memo] caches it for the next call. The edit is applied when a
// view is read. If texts may not be read (see f.Reads), Guess estimates its size.
//
// Every drop, change and addition needs a reason, from the stage or from the edit. When the
// stage is created, a.because("older than %d messages", n) registers the text of a reason.
//
// A call and its results are kept or dropped together. The unit of a key (in.UnitHead) is
// its group, or the message itself. Decide about whole units, or use a sieve, which removes
// single calls with their results. Results may be late, early, repeated or without a call,
// and a group may be in the view without its first message.
//
// A stage requests additional features by implementing an interface of package engine. An
// Inserter adds messages in its own slots (embed [engine.OneSlot]), a Pinner protects
// messages, a Sparer excludes pinned messages from its output, a SystemDropper can drop the
// leading system messages, and a Lazy stage can start late.
//
// A stage must never look at anything later than its call, change its input, depend on map
// order or the time, read files, or start programs except with f.Run.
//
// # How stages are tested
//
// The test file of a strategy contains its trial: chains, and the plain form, which processes
// the whole view at each call. A test fails for a strategy without a trial. The chains of all
// trials are compared with the plain form and checked for whole pairs, explained changes,
// determinism, acceptance by providers, loss, flow, and linear growth of time.
package strategy
