// Package history reads files that are one conversation as a framework keeps it: a
// list of messages in the framework's own form, the same in an object's messages,
// or one per line. Readers of such forms (pydanticai, vercel) say what one record is,
// and this package does the rest, so that torn files and odd records are treated
// alike.
//
// It must never claim more than such a file tells: not what the provider was sent.
package history
