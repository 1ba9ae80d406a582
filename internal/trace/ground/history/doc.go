// Package history reads files that hold one conversation as a framework stores it: a
// list of messages in the framework's own form, the same list in an object's member
// messages, or one message a line. The formats pydanticai and vercel decode one
// record, and this package does the rest, so that they treat torn files and odd
// records alike.
//
// It must never claim what the provider was sent: such files do not record it.
package history
