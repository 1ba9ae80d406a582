// Package sqlite opens SQLite databases without altering anything: it is what
// every reader of a database stands on.
//
// The record is evidence and often still being written. So a database is never
// written to, no -wal, -shm or -journal file appears or goes away beside it, no
// lock is taken that its writer could feel; and still rows that stand only in
// the write-ahead log are read, also from a read-only folder. Measured by
// hashes and folder listings before and after:
//
//   - without a -wal: mode=ro and immutable=1. SQLite looks at nothing but the file.
//   - with a -wal: mode=ro, a file system layer without locks, and exclusive
//     locking, which keeps the index of the log in memory instead of a -shm file.
//   - with a journal that has not been rolled back: a private copy is rolled back.
//
// Traps: a name without "file:" opens read-write, whatever its query says, and
// deletes the log of a crashed writer; immutable=1 silently misses every row of
// a log; a cache_size in the name opens the log before exclusive locking is set
// and fails; an unescaped ? or # in a path opens another file.
//
// The library is asked directly, without database/sql between: a value is taken
// out of a row only when it is asked for, and [Row.Bytes] shows a text where it
// lies. A scan of messages with their texts as bytes then costs about half of one
// by database/sql and allocates nothing per row (BenchmarkScan).
//
// Because no lock is held, the file may change under a read. [DB.Read] sees
// that (sizes, times, the change counter, the salts of the log), reads again,
// and in the end reads a private copy. Such a copy is in the folder for
// temporary files, readable by its owner only, and goes with [DB.Close].
package sqlite
