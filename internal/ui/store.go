package ui

import (
	"context"
	"slices"

	"agentlens/internal/model"
)

// storeBytes bounds what the screen keeps of the texts of a run.
const storeBytes = 32 << 20

// A want is something the screen would show and does not have yet. What it
// points to is read-only.
type want struct {
	key     bodyKey
	message *model.Message // nil for added messages and prompts
	entry   *model.Entry   // what a view made of it; nil: as recorded
	ref     model.Ref      // of a prompt
	all     bool           // all of it, not only the summary
}

// A held is what the store keeps under a key.
type held struct {
	summary summary
	blocks  []block // nil until asked for
	whole   bool    // blocks are loaded
	bytes   int
	used    int // tick of the last use
	wrapped map[int]*wrapped
}

// wrapped is a body laid out for one width.
type wrapped struct {
	lines   []line
	version int // of the folded sections
}

// A store keeps summaries and bodies, the least recently used leave first. It
// belongs to the program's own goroutine; what commands load comes in by put.
type store struct {
	held    map[bodyKey]*held
	pending map[want]bool
	bytes   int
	tick    int
	limit   int
	frame   int // tick at the start of the frame: what it uses stays
}

func newStore(limit int) *store {
	return &store{held: map[bodyKey]*held{}, pending: map[want]bool{}, limit: limit}
}

// clear forgets everything, as when secrets are revealed or another thread is shown.
func (s *store) clear() {
	s.held, s.pending, s.bytes = map[bodyKey]*held{}, map[want]bool{}, 0
}

// get returns what is held under k, or nil.
func (s *store) get(k bodyKey) *held {
	h := s.held[k]
	if h != nil {
		s.tick++
		h.used = s.tick
	}
	return h
}

// lacks reports whether w has to be loaded, and remembers that it will be.
func (s *store) lacks(w want) bool {
	if h := s.held[w.key]; h != nil && (h.whole || !w.all) || s.pending[w] {
		return false
	}
	s.pending[w] = true
	return true
}

func (s *store) put(l loaded) {
	delete(s.pending, l.want)
	if old := s.held[l.want.key]; old != nil {
		if old.whole && !l.whole {
			return
		}
		s.bytes -= old.bytes
	}
	s.tick++
	s.held[l.want.key] = &held{summary: l.summary, blocks: l.blocks, whole: l.whole, bytes: l.bytes, used: s.tick, wrapped: map[int]*wrapped{}}
	s.bytes += l.bytes
	if s.bytes > s.limit {
		s.shrink()
	}
}

// lineBytes is about what a line takes in memory, beside its text.
const lineBytes = 160

// keep adds a body laid out for a width. What was laid out for earlier sizes of the
// screen leaves, once there are several.
func (s *store) keep(h *held, width int, c *wrapped) {
	if old := h.wrapped[width]; old != nil {
		s.grow(h, -len(old.lines))
		delete(h.wrapped, width)
	}
	if len(h.wrapped) > 3 {
		for _, w := range h.wrapped {
			s.grow(h, -len(w.lines))
		}
		clear(h.wrapped)
	}
	h.wrapped[width] = c
	s.grow(h, len(c.lines))
}

func (s *store) grow(h *held, lines int) {
	h.bytes += lines * lineBytes
	s.bytes += lines * lineBytes
}

// begin starts a frame.
func (s *store) begin() { s.frame = s.tick }

// shrink lets the least recently used half go, but nothing the frame uses.
func (s *store) shrink() {
	keys := make([]bodyKey, 0, len(s.held))
	for k := range s.held {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b bodyKey) int { return s.held[a].used - s.held[b].used })
	for _, k := range keys {
		if s.bytes <= s.limit/2 || s.held[k].used > s.frame {
			return
		}
		s.bytes -= s.held[k].bytes
		delete(s.held, k)
	}
}

// loaded is the answer to a want.
type loaded struct {
	want    want
	summary summary
	blocks  []block
	whole   bool
	bytes   int
}

// load answers wants, in order, until ctx ends.
func (r *reader) load(ctx context.Context, wants []want) []loaded {
	var list []loaded
	for _, w := range wants {
		if ctx.Err() != nil {
			break
		}
		l := loaded{want: w, summary: r.summarise(w), whole: w.all, bytes: 200}
		if w.all {
			l.blocks = r.blocks(w)
		}
		l.bytes += len(l.summary.text.String())
		for _, c := range l.summary.calls {
			l.bytes += len(c.args.String()) + 64
		}
		for i := range l.blocks {
			l.bytes += len(l.blocks[i].text.String()) + 100
		}
		list = append(list, l)
	}
	return list
}
