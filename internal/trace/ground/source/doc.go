// Package source is what every reader stands on: the file as it was found,
// unwrapped from gzip and zstd, its head for sniffing, texts by reference, the
// readers that are no more than one run, and the row by which a reader enters the
// table in package trace.
//
// It never writes beside a source and never holds a lock on it.
package source
