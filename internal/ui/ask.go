package ui

import (
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/export/match"
)

// A scope says where is searched.
type scope uint8

const (
	everywhere scope = iota
	inHistory
	inView
	numScopes
)

var scopeNames = [numScopes]words{"both panes", "full history", "provider saw"}

// A needle is what is searched for.
type needle struct {
	*match.Matcher
	text  string // as typed
	scope scope
}

// newNeedle is a literal needle in any scope, nil for nothing.
func newNeedle(s string) *needle {
	if s == "" {
		return nil
	}
	return &needle{Matcher: match.Literal(s), text: s}
}

// maxNeedle bounds what is searched for, in bytes.
const maxNeedle = 1 << 10

// An ask is a search being typed.
type ask struct {
	line   *input
	regexp bool
	scope  scope
	scoped bool // the scope can be chosen
	fault  words
}

// key edits the search; it ends with a needle, or with none when nothing was typed
// or the person gave up.
func (a *ask) key(k tea.KeyMsg) (n *needle, done bool) {
	switch k.String() {
	case "esc", "ctrl+c":
		return nil, true
	case "ctrl+r":
		a.regexp, a.fault = !a.regexp, ""
	case "tab":
		if a.scoped {
			a.scope = (a.scope + 1) % numScopes
		}
	case "enter":
		return a.needle()
	default:
		if a.line.key(k) {
			a.fault = ""
		}
	}
	return nil, false
}

// needle makes what was typed into a needle. A fault keeps the line open.
func (a *ask) needle() (n *needle, done bool) {
	s := a.line.String()
	switch {
	case s == "":
		return nil, true
	case len(s) > maxNeedle:
		a.fault = "this is too long to search for"
		return nil, false
	case !a.regexp:
		return &needle{match.Literal(s), s, a.scope}, true
	}
	m, err := match.Regexp(s)
	if err != nil {
		a.fault = "this is no regular expression"
		return nil, false
	}
	return &needle{m, "/" + s + "/", a.scope}, true
}

func (a *ask) paint(l *liner) {
	l.own(" / ", accent)
	room := l.left
	if room > 60 {
		room -= 44
	}
	l.within(min(room, max(utf8.RuneCountInString(a.line.String())+2, 20)), func() { a.line.paint(l, plain) })
	if a.fault != "" {
		l.own(" "+a.fault, failure)
		return
	}
	kind := words("plain")
	if a.regexp {
		kind = "regexp"
	}
	list := []hint{{"ctrl-r", kind}}
	if a.scoped {
		list = append(list, hint{"tab", scopeNames[a.scope]})
	}
	hints(l, list)
}
