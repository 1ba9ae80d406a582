package postgres

import (
	"fmt"
	"strings"

	"agentlens/internal/remote/store"
)

// A statement is built from clauses. A clause that filters names the part of the filter that it applies.
type statement struct {
	schema  string
	with    string // before SELECT
	columns string
	from    string
	where   []string
	group   string
	having  []string
	order   string
	limit   int
	args    []any
	server  []store.Part
}

// table returns the name of a table with its schema.
func (s *statement) table(name string) string { return quote(s.schema) + "." + quote(name) }

// arg adds a value and returns its place in the statement.
func (s *statement) arg(value any) string {
	for i, have := range s.args {
		if text, ok := value.(string); ok && have == text {
			return fmt.Sprintf("$%d", i+1)
		}
	}
	s.args = append(s.args, value)
	return fmt.Sprintf("$%d", len(s.args))
}

// answers records parts of the filter that the statement applies.
func (s *statement) answers(parts ...store.Part) { s.server = append(s.server, parts...) }

// matches returns the condition that a text matches a pattern of [store].
func (s *statement) matches(text, pattern string) string { return text + " ~* " + s.arg(pattern) }

// bound limits the number of rows if the filter is only a limit; otherwise lens counts the runs that fit.
func (s *statement) bound(f store.Filter) {
	if f.Counts() {
		s.limit = f.Limit
		s.answers(store.Limit)
	}
}

func (s *statement) query() store.Query {
	text := s.with + "SELECT " + s.columns + " FROM " + s.from
	for _, clause := range []struct {
		word string
		all  []string
	}{{" WHERE ", s.where}, {" GROUP BY ", list(s.group)}, {" HAVING ", s.having}, {" ORDER BY ", list(s.order)}} {
		if len(clause.all) > 0 {
			text += clause.word + strings.Join(clause.all, " AND ")
		}
	}
	if s.limit > 0 {
		text += fmt.Sprintf(" LIMIT %d", s.limit)
	}
	return store.Query{Text: text, Args: s.args, Server: s.server}
}

func list(one string) []string {
	if one == "" {
		return nil
	}
	return []string{one}
}

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// direction returns the direction of an order by time.
func direction(f store.Filter) string {
	if f.Oldest {
		return " ASC"
	}
	return " DESC"
}
