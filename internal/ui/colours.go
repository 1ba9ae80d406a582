package ui

import (
	"context"
	"slices"
	"sort"
	"time"

	"agentlens/internal/ui/highlight"
)

// Bounds of colouring.
const (
	// colourBytes bounds what the screen keeps of colours.
	colourBytes = 16 << 20
	// colourSlice is how long one command colours before it reports.
	colourSlice = 30 * time.Millisecond
)

// classStyles says how the classes of a text look. Plain is as the line is.
var classStyles = [highlight.NumClasses]style{
	highlight.Comment:  codeComment,
	highlight.Keyword:  codeKeyword,
	highlight.Constant: codeConstant,
	highlight.Type:     codeType,
	highlight.Function: codeFunction,
	highlight.Key:      codeKey,
	highlight.String:   codeString,
	highlight.Number:   codeConstant,
	highlight.Meta:     codeMeta,
	highlight.Heading:  accent,
	highlight.Strong:   strong,
	highlight.Emphasis: emphasis,
	highlight.Code:     codeString,
	highlight.Link:     codeMeta,
	highlight.Mark:     dim,
	highlight.Inserted: inserted,
	highlight.Deleted:  deleted,
	highlight.Hunk:     codeMeta,
	highlight.Gutter:   faint,
}

// colours keeps the colours of the texts that were on the screen, the least
// recently used leave first. Texts are drawn plain until their colours come from a
// command. It belongs to the program's own goroutine.
type colours struct {
	hl    *highlight.Highlighter // nil on a screen without colours
	held  map[highlight.Chunk]*heldColours
	bytes int
	limit int
	tick  int
	frame int // tick at the start of the frame: what it uses stays
}

type heldColours struct {
	spans []highlight.Span
	used  int
}

func newColours(th *theme) *colours {
	c := &colours{held: map[highlight.Chunk]*heldColours{}, limit: colourBytes}
	if th.coloured {
		c.hl = highlight.New()
	}
	return c
}

// of returns the spans of a line, and maybe of what follows it; nil while they are
// not known.
func (c *colours) of(b *line) []highlight.Span {
	if b.doc == nil {
		return nil
	}
	nth := b.doc.ChunkAt(b.from)
	if nth < 0 {
		return nil
	}
	h := c.held[b.doc.Chunk(nth)]
	if h == nil {
		return nil
	}
	c.tick++
	h.used = c.tick
	i := sort.Search(len(h.spans), func(i int) bool { return int(h.spans[i].To) > b.from })
	return h.spans[i:]
}

// A colouring is a chunk of a text that is to be coloured.
type colouring struct {
	doc *highlight.Document
	nth int
}

// lacking adds what line b needs to be coloured to list.
func (c *colours) lacking(list []colouring, b *line) []colouring {
	if b.doc == nil {
		return list
	}
	w := colouring{b.doc, b.doc.ChunkAt(b.from)}
	if n := len(list); w.nth < 0 || n > 0 && list[n-1] == w {
		return list
	}
	if h := c.held[w.doc.Chunk(w.nth)]; h != nil {
		c.tick++
		h.used = c.tick
		return list
	}
	return append(list, w)
}

// colourAll works at list for a while. It is for commands, and touches no state.
func colourAll(ctx context.Context, hl *highlight.Highlighter, list []colouring) []highlight.Coloured {
	var done []highlight.Coloured
	until := time.Now().Add(colourSlice)
	for _, w := range list {
		name := w.doc.Chunk(w.nth)
		if slices.ContainsFunc(done, func(c highlight.Coloured) bool { return c.Chunk == name }) {
			continue
		}
		done = append(done, hl.Colour(ctx, w.doc, w.nth)...)
		if time.Now().After(until) {
			break
		}
	}
	return done
}

// take keeps what was coloured.
func (c *colours) take(list []highlight.Coloured) {
	for _, m := range list {
		if old := c.held[m.Chunk]; old != nil {
			c.bytes -= old.bytes()
		}
		c.tick++
		h := &heldColours{m.Spans, c.tick}
		c.held[m.Chunk] = h
		c.bytes += h.bytes()
	}
	if c.bytes > c.limit {
		c.shrink()
	}
}

func (h *heldColours) bytes() int { return 100 + 12*cap(h.spans) }

// shrink lets the least recently used half go, but nothing the frame uses.
func (c *colours) shrink() {
	keys := make([]highlight.Chunk, 0, len(c.held))
	for k := range c.held {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b highlight.Chunk) int { return c.held[a].used - c.held[b].used })
	for _, k := range keys {
		if c.bytes <= c.limit/2 || c.held[k].used > c.frame {
			return
		}
		c.bytes -= c.held[k].bytes()
		delete(c.held, k)
	}
}
