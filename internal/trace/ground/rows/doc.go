// Package rows reads runs from tables. A [Source] gives access to a [Store]: a
// SQLite file is one, a server may be another. A [Reader] looks at the store and
// calls the format, which reads rows and fills a [Builder].
//
// The readers of crush, goose, langgraph, llm, openaiagents and opencode use all
// of it; flujo and mlflow (through package spans) read a Store by themselves.
//
// The texts of messages of one run are kept in memory. Rows that are documents or
// evidence stay in the store and are read on demand, because a session may have
// far more of them than messages.
//
// It must never depend on a schema, nor write to a database or create a file next to it.
package rows
