package ui

import (
	"slices"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/library/match"
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
	past   *[]string // what was searched for before; nil remembers nothing
	back   int       // how far back in it the line is, 0 for what is typed
}

// screen is the line a search is typed in. It ends with a needle, or with none when
// nothing was typed or the person gave up.
func (a *ask) screen(end func(*needle) tea.Cmd) keyScreen {
	kind := words("plain")
	if a.regexp {
		kind = "regexp"
	}
	rows := []action{
		{keys: []string{"enter"}, help: "search", run: func() tea.Cmd {
			if n, done := a.needle(); done {
				return end(n)
			}
			return nil
		}},
		{keys: []string{"ctrl+r"}, hint: hint{"ctrl-r", kind}, help: "a regular expression, or plain text", run: do(func() { a.regexp, a.fault = !a.regexp, "" })},
		{keys: []string{"up", "ctrl+p"}, help: "what was searched for before", run: do(func() { a.recall(-1) })},
		{keys: []string{"down", "ctrl+n"}, help: "what was searched for after that", run: do(func() { a.recall(1) })},
		{keys: []string{"esc"}, help: "search for nothing", run: func() tea.Cmd { return end(nil) }},
	}
	if a.scoped {
		rows = append(rows, action{keys: []string{"tab"}, hint: hint{"tab", scopeNames[a.scope]}, help: "where: both panes, the full history, what the provider saw", run: do(func() { a.scope = (a.scope + 1) % numScopes })})
	}
	return keyScreen{tables: []keyTable{{"while a search is typed, /", rows}}, typed: func(k tea.KeyMsg) tea.Cmd {
		if a.line.key(k) {
			a.fault = ""
		}
		return nil
	}}
}

// recall types what was searched for before (-1) or after (1) what the line holds.
func (a *ask) recall(d int) {
	if a.past == nil || len(*a.past) == 0 {
		a.fault = "nothing was searched for before"
		return
	}
	a.fault = ""
	if a.back = min(max(a.back-d, 0), len(*a.past)); a.back == 0 {
		a.line = newInput("")
		return
	}
	a.line = newInput((*a.past)[len(*a.past)-a.back])
}

// pastSearches is how many searches are remembered.
const pastSearches = 50

// remember keeps what is searched for, the newest last.
func (a *ask) remember(s string) {
	if a.past == nil {
		return
	}
	list := slices.DeleteFunc(*a.past, func(old string) bool { return old == s })
	list = append(list, s)
	*a.past = list[max(len(list)-pastSearches, 0):]
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
		a.remember(s)
		return &needle{match.Literal(s), s, a.scope}, true
	}
	m, err := match.Regexp(s)
	if err != nil {
		a.fault = "this is no regular expression"
		return nil, false
	}
	a.remember(s)
	return &needle{m, "/" + s + "/", a.scope}, true
}

func (a *ask) paint(l *liner, s keyScreen) {
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
	hints(l, s.hints())
}
