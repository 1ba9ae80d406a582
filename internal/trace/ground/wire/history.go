package wire

import (
	"slices"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/overlap"
)

// A history follows the requests of one conversation, unit by unit.
type history struct {
	overlap.History
	with  Dialect           // of its exchanges; nil before the first
	id    string            // the name the record gives the conversation
	out   []uint64          // units of the latest response that no request has held yet
	reply int               // which of them is the reply, or -1
	resp  string            // id of the latest response
	refs  map[uint64]uint64 // keys of replies by their ids
	solid bool              // the latest request held more than a system prompt
	// prompt says that the first unit of Prev is a system prompt.
	prompt bool
}

// A step is how a request continues a conversation.
type step struct {
	// kept are places of what the provider had kept and the request does not hold.
	kept []int32
	// sent has for each unit of the request its place in the conversation, those
	// that are new included; -1 for one that was changed or put in.
	sent []int32
	// fresh is the first unit of the request that is new to the conversation.
	fresh int
	// taken says that the response before is part of the conversation.
	taken bool
	score int // how much of the request is known: the best conversation has most
}

// align finds how an exchange continues the history, and changes nothing.
func (h *history) align(x *exchange) (step, bool) {
	if x.id != h.id || h.with != nil && h.with != x.Dialect {
		return step{}, false
	}
	if previous := x.facts.Previous; previous != "" {
		return step{taken: true, score: len(h.Keys) + len(x.input) + 1, fresh: -1}, previous == h.resp
	}
	keys := h.resolved(x)
	if n := len(h.Prev); h.solid && h.Begins(keys) {
		return step{fresh: n, taken: h.holds(keys[n:]), score: n}, true
	}
	for i := len(keys) - 1; i >= 0; i-- {
		if h.reply >= 0 && keys[i] == h.out[h.reply] {
			return step{fresh: i + 1, taken: true, score: i + 1}, true
		}
		if x.input[i].Kind == IsCompaction && (h.Has(keys[i]) || slices.Contains(h.out, keys[i])) {
			return step{fresh: i + 1, taken: slices.Contains(h.out, keys[i]) || h.holds(keys[i+1:]), score: i + 1}, true
		}
	}
	return step{}, false
}

// resolved are the keys of a request, where units that are named by their ids
// alone have the keys of the replies they name.
func (h *history) resolved(x *exchange) []uint64 {
	keys := x.keys
	for i, u := range x.input {
		if key, ok := h.refs[u.Ref]; ok && u.ByRef {
			if &keys[0] == &x.keys[0] {
				keys = slices.Clone(keys)
			}
			keys[i] = key
		}
	}
	return keys
}

// holds reports whether the rest of a request begins with the latest response.
func (h *history) holds(rest []uint64) bool {
	return len(rest) > 0 && (len(h.out) > 0 && rest[0] == h.out[0] || h.reply >= 0 && rest[0] == h.out[h.reply])
}

// next takes an exchange into the history as align found it to continue it.
func (h *history) next(x *exchange, s step) step {
	x.keys = h.resolved(x)
	keys := x.keys
	known := len(h.Keys)
	if s.taken {
		for _, key := range h.out {
			h.Say(key)
		}
	}
	if s.fresh < 0 {
		h.goOn(x, &s, known)
	} else {
		s.sent = h.Known(keys[:s.fresh])
	}
	for from := known; s.taken && s.fresh < len(keys); s.fresh++ {
		at := h.First(keys[s.fresh], from)
		if at < 0 || len(s.kept) > 0 {
			break
		}
		s.sent, from = append(s.sent, int32(at)), at+1
	}
	for _, key := range keys[s.fresh:] {
		s.sent = append(s.sent, h.Say(key))
	}
	h.latest(x, s)
	return s
}

// goOn puts what the provider kept before a request that names the response it
// goes on from. The system prompt is not kept.
func (h *history) goOn(x *exchange, s *step, known int) {
	for i, at := range h.Sent {
		if !h.prompt || i > 0 {
			s.kept = append(s.kept, at)
		}
	}
	for at := known; at < len(h.Keys); at++ {
		s.kept = append(s.kept, int32(at))
	}
	s.fresh = 0
	if len(x.input) > 0 && x.input[0].Prompt {
		s.sent, s.fresh = h.Onward(x.keys[:1]), 1
	}
}

// latest remembers the exchange for the one behind it.
func (h *history) latest(x *exchange, s step) {
	h.Next(x.keys, s.sent)
	h.prompt = len(x.input) > 0 && x.input[0].Prompt
	if len(s.kept) > 0 {
		head := 0
		if h.prompt {
			head = 1
		}
		h.Sent = slices.Concat(s.sent[:head], s.kept, s.sent[head:])
		h.Prev = slices.Clone(x.keys[:head])
		for _, at := range s.kept {
			key := uint64(0)
			if at >= 0 {
				key = h.Keys[at]
			}
			h.Prev = append(h.Prev, key)
		}
		h.Prev = append(h.Prev, x.keys[head:]...)
	}
	h.solid = len(s.kept) > 0 || slices.ContainsFunc(x.input, func(u Unit) bool { return u.Role != model.System })
	h.with = x.Dialect
	h.out, h.reply, h.resp = x.out, x.reply(), x.facts.ID
	for _, u := range x.output {
		if u.Ref != 0 {
			if h.refs == nil {
				h.refs = map[uint64]uint64{}
			}
			h.refs[u.Ref] = u.Key
		}
	}
}

func keysOf(units []Unit) []uint64 {
	keys := make([]uint64, len(units))
	for i, u := range units {
		keys[i] = u.Key
	}
	return keys
}
