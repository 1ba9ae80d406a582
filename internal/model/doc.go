// Package model defines runs, threads, messages, groups, calls and views, the codes
// of warnings, and the builder of threads.
//
// A run holds metadata and references. Its texts stay in the file or table that
// contains them, and [Run.Body] reads them. Only the reader that builds a [Run]
// writes to it; afterwards goroutines may share it.
//
// Optional numbers are a [Maybe], so that a zero value never names a message.
//
// The package must never do I/O, nor import another package of lens.
package model
