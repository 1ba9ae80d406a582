// Package catalog lists the runs of many sources without keeping them in memory. It reads
// files concurrently, keeps one row per run, and caches the rows of unchanged files.
//
// The cache must never contain a text that did not pass the gate. Deleting it is safe, and
// a file whose size or time changed is always read again.
package catalog
