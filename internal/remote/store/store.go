// Package store defines the requests of lens to a server that holds runs, and how the server's answers become
// files that the readers of formats can read.
//
// A store must never send a statement that changes anything, and never print a credential.
package store

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"agentlens/internal/trace/ground/source"
)

// A Filter selects runs. The zero value selects all. A store may answer with too many runs, never with too
// few: lens filters again what it has read.
type Filter struct {
	Since, Until time.Time // a run with an activity in this period
	Failed       bool      // a run with a failed operation, or that failed itself
	Status       string    // as in [model.Status]
	Model        string    // a part of a model's name, in any case, that JSON does not escape
	Text         string    // a part of a text in the run, in any case, that JSON does not escape
	Oldest       bool      // the oldest runs first, not the newest
	Limit        int       // the number of runs, 0 for all
	Other        []Part    // parts that only lens can answer
}

// A Part is a part of a filter, named after its flag.
type Part string

// The parts of a filter.
const (
	Since  Part = "--since"
	Until  Part = "--until"
	Failed Part = "--has error"
	Status Part = "--status"
	Model  Part = "--model"
	Text   Part = "search"
	Sort   Part = "the order"
	Limit  Part = "--limit"
)

// Parts returns the parts that the filter uses.
func (f Filter) Parts() (parts []Part) {
	for _, p := range []struct {
		part Part
		used bool
	}{
		{Since, !f.Since.IsZero()},
		{Until, !f.Until.IsZero()},
		{Failed, f.Failed},
		{Status, f.Status != ""},
		{Model, f.Model != ""},
		{Text, f.Text != ""},
		{Limit, f.Limit > 0},
	} {
		if p.used {
			parts = append(parts, p.part)
		}
	}
	return append(parts, f.Other...)
}

// Counts reports whether the server may count the runs of the limit: only if the filter has no other part, because lens
// may exclude some of the runs that a server answers.
func (f Filter) Counts() bool {
	return f.Limit > 0 && !slices.ContainsFunc(f.Parts(), func(p Part) bool { return p != Limit })
}

// A Query is a request to a store for its runs.
type Query struct {
	Text   string // the statement or the address, without a credential
	Args   []any  // values of the statement
	Server []Part // parts of the filter that the server answers, possibly with too many runs
}

// A Store is an open server. It uses one connection.
type Store interface {
	// Title describes the store, such as "Phoenix in PostgreSQL".
	Title() string
	// Queries returns the requests for the runs of a filter.
	Queries(f Filter) []Query
	// List calls yield for each run that may fit the filter, in its order.
	List(ctx context.Context, f Filter, yield func(source.Entry) error) error
	// Fetch returns a file with one run. Closing the file also removes what it needs.
	Fetch(ctx context.Context, id string) (*source.File, error)
	// Version returns a text that differs after any change of a run, without reading its texts. It is "" if the server
	// cannot answer that, or has no such run.
	Version(ctx context.Context, id string) (string, error)
	Close() error
}

// Options are the user's settings for servers.
type Options struct {
	Env      func(string) string // the environment
	Insecure bool                // certificates are not verified
	Wait     bool                // statements may take any time
	// Credentials returns the user and the password for an address without a password, "" if there are none.
	// Nil has none.
	Credentials func(u *url.URL) (user, password string, err error)
	Folder      string // an own folder for files of runs; removed by its owner
}

// Longest is the time that one operation is expected to take at most. If the index of a store covers only the
// start of operations, lens also requests operations that began up to this long before a period.
const Longest = 24 * time.Hour

// StatementTime is how long a statement may take, unless the user waits.
const StatementTime = 30 * time.Second

// Name returns an address as it may be shown: without a password and without parameters.
func Name(u *url.URL) string {
	clean := *u
	clean.RawQuery, clean.ForceQuery, clean.Fragment = "", false, ""
	if u.User != nil {
		clean.User = url.User(u.User.Username())
		if u.User.Username() == "" {
			clean.User = nil
		}
	}
	return clean.String()
}

// Place returns what identifies the runs at an address, without a user, a password or a setting of the connection.
func Place(u *url.URL) string {
	place := url.URL{Scheme: u.Scheme, Host: u.Host, Path: strings.TrimSuffix(u.Path, "/")}
	if project := u.Query().Get("project"); project != "" {
		place.RawQuery = url.Values{"project": {project}}.Encode()
	}
	return place.String()
}

// Loopback reports whether a host is this machine.
func Loopback(host string) bool {
	return host == "localhost" || host == "127.0.0.1" || host == "::1" || host == ""
}
