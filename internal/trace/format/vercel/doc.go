// Package vercel reads messages of the Vercel AI kit: those a chat's interface
// keeps (UIMessage, with parts) and those a model is called with (ModelMessage),
// of version 4 on, as a list, in the messages of an object, or one per line.
//
// Evidence: the kit's published source; no genuine file was at hand.
//
// Traps: a tool's call and result are one part; one message of the assistant spans
// many replies, parted by step-start; tools the provider runs itself keep their
// result inside the reply; an older message says in content and toolInvocations
// what its parts say; usage is not in messages.
//
// It must never take a call that waits for an approval for one that was answered.
package vercel
