// Package remote opens runs that are on servers. A source on a server is named by an address; its scheme
// determines the kind of the server. Nothing else in lens uses the network.
//
// A server must have been named by the user, on the command line or in the user's own settings. The package must
// never connect to anything else.
package remote

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"agentlens/internal/remote/clickhouse"
	"agentlens/internal/remote/langfuse"
	"agentlens/internal/remote/phoenix"
	"agentlens/internal/remote/postgres"
	"agentlens/internal/remote/store"
	"agentlens/internal/trace/ground/source"
)

// An opener connects to the server at an address.
type opener func(ctx context.Context, u *url.URL, opt store.Options) (store.Store, error)

// openers maps schemes to openers. To add a store, add a folder and a line here.
func openers() map[string]opener {
	return map[string]opener{
		"postgres":   postgres.Open,
		"postgresql": postgres.Open,
		"clickhouse": clickhouse.Open, "clickhouses": clickhouse.Open,
		"langfuse": langfuse.Open,
		"phoenix":  phoenix.Open,
	}
}

// Schemes returns the schemes of addresses that lens opens, sorted.
func Schemes() (names []string) {
	for name := range openers() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Named reports whether a name is an address, known or not: a scheme followed by "://".
func Named(name string) bool {
	scheme, _, ok := strings.Cut(name, "://")
	return ok && scheme != "" && !strings.ContainsAny(scheme, `/\.# `)
}

// A Server is an open server.
type Server struct {
	store.Store
	Name  string // for messages
	Place string // identifies its runs, see [store.Place]
	ID    string // the run that the address names, or ""
}

// Open connects to the server that an address names. The address names a run with the part after #, or with what follows
// /trace/ in its path.
func Open(ctx context.Context, address string, opt store.Options) (*Server, error) {
	u, err := url.Parse(address)
	if err != nil {
		scheme, _, _ := strings.Cut(address, "://")
		return nil, &source.UnreadableError{Path: scheme + "://…", Err: errors.New("the address cannot be read; special characters in a password are written as %40")}
	}
	open := openers()[u.Scheme]
	if open == nil {
		return nil, &source.UnreadableError{Path: store.Name(u), Err: fmt.Errorf("lens opens %s", strings.Join(Schemes(), "://, ")+"://")}
	}
	id := u.Fragment
	if id == "" {
		if path, trace, ok := strings.Cut(u.Path, "/trace/"); ok {
			u.Path, u.RawPath, id = path, "", trace
		}
	}
	u.Fragment = ""
	if _, given := u.User.Password(); !given && opt.Credentials != nil {
		user, password, err := opt.Credentials(u)
		if err != nil {
			return nil, err
		}
		if own := u.User.Username(); password != "" && (own == "" || own == user) {
			u.User = url.UserPassword(user, password)
		}
	}
	place := store.Place(u)
	s, err := open(ctx, u, opt)
	if err != nil {
		return nil, err
	}
	return &Server{Store: s, Name: store.Name(u), Place: place, ID: id}, nil
}
