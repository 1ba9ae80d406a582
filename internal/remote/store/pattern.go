package store

import (
	"strings"

	"agentlens/internal/model"
)

// The patterns are regular expressions that PostgreSQL (~*), ClickHouse (match) and Go read alike. They are used without
// regard to case, on JSON in which JSON may be nested as a text.

// Escapes matches an escape of a character of a part of a text, also with regard to case. Few writers escape such characters,
// but all readers accept it: a record with such an escape may hold any text.
const Escapes = `\\u00(2[013-589ac-eAC-E]|3[0-9abfABF]|[46][0-9a-fA-F]|5[0-9abd-fABD-F]|7[0-9a-eA-E])`

// Holds returns a pattern that matches every record with a part of a text, see [Filter.Text].
func Holds(part string) string {
	var b strings.Builder
	for _, c := range []byte(part) {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == ' ' || c == '_') {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String() + "|" + Escapes
}

// FailedTool is a pattern that matches every record of a conversation with the result of a failed tool, in any of the
// forms that the readers know: a member is_error or isError that is true, a status, an outcome, a type, a kind or a code that
// says so, or a member error.
const FailedTool = `is_?error\W*true|(status|outcome|type|kind|code)\W*\w*(error|failed|retry-prompt)|\Werror\W*:|` + Escapes

// OfSpans reports whether a run that is read from spans can have a status. A span records only that it ended or failed.
func OfSpans(status string) bool {
	switch model.Status(status) {
	case model.StatusRunning, model.StatusPaused, model.StatusCancelled:
		return false
	}
	return true
}
