package main

import "unicode/utf8"

// cleared replaces a cleared result in the model's context.
const cleared = "[Old tool result content cleared]"

// tokens estimates the number of tokens in a text. It assumes three code points per token, which is about right
// for source code, logs and figures.
func tokens(text string) int {
	return (utf8.RuneCountInString(text) + 2) / 3
}

// A window is the context that the model of one conversation gets. It keeps the usage
// of each reply consistent with the texts before it.
type window struct {
	base   int // system prompt and tool definitions
	items  []item
	cached int // leading tokens that the provider's cache holds
}

type item struct {
	tokens int
	toolID string // of a tool result
}

func (w *window) add(n int, toolID string) { w.items = append(w.items, item{n, toolID}) }

func (w *window) size() int {
	n := w.base
	for _, it := range w.items {
		n += it.tokens
	}
	return n
}

// send makes one request: the texts since the previous request are written to the
// cache, except for the few tokens after the last breakpoint.
func (w *window) send(d dice) usage {
	var u usage
	u.Input = 2 + d.IntN(7)
	u.CacheRead = w.cached
	u.CacheCreation = w.size() - w.cached - u.Input
	u.Creation.FiveMinutes = u.CacheCreation
	u.ServiceTier = "standard"
	w.cached = w.size() - u.Input
	return u
}

// clearResults empties every result of at least min tokens but the last keep,
// and returns their ids and the tokens saved.
func (w *window) clearResults(minimum, keep int) (ids []string, saved int) {
	last := len(w.items)
	for ; keep > 0 && last > 0; last-- {
		if w.items[last-1].toolID != "" {
			keep--
		}
	}
	before := w.base
	for i := range w.items[:last] {
		if it := &w.items[i]; it.toolID != "" && it.tokens >= minimum {
			if len(ids) == 0 {
				w.cached = min(w.cached, before)
			}
			ids = append(ids, it.toolID)
			saved += it.tokens - tokens(cleared)
			it.tokens = tokens(cleared)
		}
		before += w.items[i].tokens
	}
	return ids, saved
}

// restart drops everything. The system prompt remains cached.
func (w *window) restart() {
	w.items = nil
	w.cached = min(w.cached, w.base)
}

// fork copies the window, so that a rewind can restore it.
func (w *window) fork() window {
	copied := *w
	copied.items = append([]item(nil), w.items...)
	return copied
}
