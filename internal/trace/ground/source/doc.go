// Package source is the common base of all readers: the file with its gzip and zstd
// wrappers removed, its head for sniffing, texts by reference, readers of sources with
// one run, and the row of a format in the table of package trace.
//
// It must never create a file next to a source nor hold a lock on it.
package source
