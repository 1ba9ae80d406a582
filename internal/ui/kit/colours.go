package kit

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
var classStyles = [highlight.NumClasses]Style{
	highlight.Comment:  CodeComment,
	highlight.Keyword:  CodeKeyword,
	highlight.Constant: CodeConstant,
	highlight.Type:     codeType,
	highlight.Function: CodeFunction,
	highlight.Key:      CodeKey,
	highlight.String:   CodeString,
	highlight.Number:   CodeConstant,
	highlight.Meta:     CodeMeta,
	highlight.Heading:  Accent,
	highlight.Strong:   Strong,
	highlight.Emphasis: emphasis,
	highlight.Code:     CodeString,
	highlight.Link:     CodeMeta,
	highlight.Mark:     Dim,
	highlight.Inserted: Inserted,
	highlight.Deleted:  Deleted,
	highlight.Hunk:     CodeMeta,
	highlight.Gutter:   Faint,
}

// Colours keeps the colours of the texts that were on the screen, the least
// recently used leave first. Texts are drawn plain until their colours come from a
// command. It belongs to the program's own goroutine.
type Colours struct {
	Hl    *highlight.Highlighter // nil on a screen without colours
	Held  map[highlight.Chunk]*heldColours
	bytes int
	limit int
	Tick  int
	Frame int // tick at the start of the frame: what it uses stays
}

type heldColours struct {
	spans []highlight.Span
	used  int
}

func NewColours(th *Theme) *Colours {
	c := &Colours{Held: map[highlight.Chunk]*heldColours{}, limit: colourBytes}
	if th.Coloured {
		c.Hl = highlight.New()
	}
	return c
}

// Of returns the spans of a line, and maybe of what follows it; nil while they are
// not known.
func (c *Colours) Of(b *Line) []highlight.Span {
	if b.doc == nil {
		return nil
	}
	nth := b.doc.ChunkAt(b.From)
	if nth < 0 {
		return nil
	}
	h := c.Held[b.doc.Chunk(nth)]
	if h == nil {
		return nil
	}
	c.Tick++
	h.used = c.Tick
	i := sort.Search(len(h.spans), func(i int) bool { return int(h.spans[i].To) > b.From })
	return h.spans[i:]
}

// A Colouring is a chunk of a text that is to be coloured.
type Colouring struct {
	doc *highlight.Document
	nth int
}

// Lacking adds what line b needs to be coloured to list.
func (c *Colours) Lacking(list []Colouring, b *Line) []Colouring {
	if b.doc == nil {
		return list
	}
	w := Colouring{b.doc, b.doc.ChunkAt(b.From)}
	if n := len(list); w.nth < 0 || n > 0 && list[n-1] == w {
		return list
	}
	if h := c.Held[w.doc.Chunk(w.nth)]; h != nil {
		c.Tick++
		h.used = c.Tick
		return list
	}
	return append(list, w)
}

// ColourAll works at list for a while. It is for commands, and touches no state.
func ColourAll(ctx context.Context, hl *highlight.Highlighter, list []Colouring) []highlight.Coloured {
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

// Take keeps what was coloured.
func (c *Colours) Take(list []highlight.Coloured) {
	for _, m := range list {
		if old := c.Held[m.Chunk]; old != nil {
			c.bytes -= old.bytes()
		}
		c.Tick++
		h := &heldColours{m.Spans, c.Tick}
		c.Held[m.Chunk] = h
		c.bytes += h.bytes()
	}
	if c.bytes > c.limit {
		c.shrink()
	}
}

func (h *heldColours) bytes() int { return 100 + 12*cap(h.spans) }

// shrink lets the least recently used half go, but nothing the frame uses.
func (c *Colours) shrink() {
	keys := make([]highlight.Chunk, 0, len(c.Held))
	for k := range c.Held {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b highlight.Chunk) int { return c.Held[a].used - c.Held[b].used })
	for _, k := range keys {
		if c.bytes <= c.limit/2 || c.Held[k].used > c.Frame {
			return
		}
		c.bytes -= c.Held[k].bytes()
		delete(c.Held, k)
	}
}
