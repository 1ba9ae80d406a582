// Package excerpt reads the flags that choose messages of a thread: --messages and --around.
//
// It must never change what it cannot read into something else: an invalid range is an error.
package excerpt

import (
	"strconv"
	"strings"

	"agentlens/internal/cli/failure"
)

// The messages of this package are listed here for review.
const (
	invalidRange   = "invalid --messages %q: use a range such as 60..90, 60.. or ..90; the thread has messages 1 to %d"
	invalidMessage = "invalid --around %q: use the number of a message; the thread has messages 1 to %d"
)

// margin is the number of messages that Around chooses before and after a message.
const margin = 5

// A Range is a range of messages, counted from 1. Both ends belong to it.
type Range struct{ From, To int }

// Has reports whether the message with an index, counted from 0, is in the range.
func (r Range) Has(index int) bool { return index+1 >= r.From && index < r.To }

// Messages reads the value of --messages for a thread of n messages: "60..90", "60-90", "60..", "..90" or "71".
func Messages(text string, n int) (Range, error) {
	from, to, found := strings.Cut(strings.ReplaceAll(text, "–", ".."), "..")
	if !found {
		from, to, found = strings.Cut(text, "-")
	}
	r := Range{1, n}
	var ok bool
	if r.From, ok = number(from, 1, found); !ok {
		return r, failure.Usagef(invalidRange, text, n)
	}
	if !found {
		to = from
	}
	if r.To, ok = number(to, n, found); !ok || r.From < 1 || r.From > r.To || r.From > n || from == "" && to == "" {
		return r, failure.Usagef(invalidRange, text, n)
	}
	r.To = min(r.To, n)
	return r, nil
}

// number reads one end of a range, which may be empty if there is another.
func number(text string, empty int, mayBeEmpty bool) (int, bool) {
	if text = strings.TrimSpace(text); text == "" {
		return empty, mayBeEmpty
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}

// Around reads the value of --around for a thread of n messages: the message and five on each side.
func Around(text string, n int) (Range, error) {
	at, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || at < 1 || at > n {
		return Range{}, failure.Usagef(invalidMessage, text, n)
	}
	return Range{max(at-margin, 1), min(at+margin, n)}, nil
}
