// Package catalog knows the runs of many sources without keeping them: it reads
// found files side by side, keeps a row of each run, and remembers the rows of
// files that did not change in a cache.
//
// The cache holds what the gate gave out, never what stood in a record: a secret
// in a title is as masked there as on the screen. It is safe to delete, and never
// trusted over a file that is newer, longer or shorter than it was.
package catalog
