// Package rows is what the readers of databases stand on (crush, goose, langgraph,
// llm, openaiagents, opencode): the reader that opens a database for one look at a
// time, and the desk at which a run is put together: its texts and its account.
//
// Texts of messages are kept in memory, those of one run at a time. Rows that
// are documents or evidence stay in the database and are read when they are
// asked for: a session may drag along far more of them than it has messages.
//
// It knows no schema, and never writes to a database or beside it.
package rows
