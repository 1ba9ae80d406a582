// Package vercel reads messages of the Vercel AI SDK: messages that a chat
// interface stores (UIMessage, with parts) and messages that a model is called with
// (ModelMessage), from version 4 on, as a list, in the messages of an object, or
// one per line.
//
// Evidence: the SDK's published source; no genuine file was available.
//
// Traps: a tool's call and result are one part. One assistant message spans many
// replies, separated by step-start. Server tools keep their result inside the
// reply. An older message repeats its parts in content and toolInvocations.
// Messages do not record usage.
//
// This package must never read a call that awaits approval as answered.
package vercel
