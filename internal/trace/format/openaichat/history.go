package openaichat

import (
	"agentlens/internal/trace/ground/chat"
	"agentlens/internal/trace/ground/overlap"
)

// A history follows a row of requests that repeat what was said before.
type history struct {
	overlap.History
	// reply is the latest response, not yet seen in a request.
	reply    uint64
	hasReply bool
}

// A step is how a request continues a history.
type step struct {
	// sent has for each message of the request its place in the conversation,
	// those that are new included; -1 for one that was changed or put in.
	sent []int32
	// fresh is the first message of the request that is new to the conversation.
	fresh int
	// echoed says that the reply of the request before is the message at echo.
	echoed bool
	echo   int
}

// fingerprints of the messages of an exchange.
func fingerprints(x *exchange) []uint64 {
	keys := make([]uint64, len(x.messages))
	for i, raw := range x.messages {
		keys[i] = chat.Fingerprint(raw)
	}
	return keys
}

// next takes the exchange into the history. It fails, and changes nothing, when
// the exchange does not continue it: when the request neither begins with the
// one before nor holds its reply.
func (h *history) next(x *exchange, keys []uint64) (step, bool) {
	s, ok := h.align(keys)
	if !ok {
		return step{}, false
	}
	if s.echoed {
		h.Say(h.reply)
	}
	for _, key := range keys[s.fresh:] {
		s.sent = append(s.sent, h.Say(key))
	}
	h.Next(keys, s.sent)
	if h.hasReply = x.reply != nil; h.hasReply {
		h.reply = chat.Fingerprint(x.reply)
	}
	return s, true
}

// align finds how a request continues the history.
func (h *history) align(keys []uint64) (step, bool) {
	if h.Begins(keys) {
		n := len(h.Prev)
		s := step{sent: h.Known(h.Prev), fresh: n}
		if h.hasReply && len(keys) > n && keys[n] == h.reply {
			s.take(len(h.Keys), n)
		}
		return s, true
	}
	if !h.hasReply {
		return step{}, false
	}
	for i := len(keys) - 1; i >= 0; i-- {
		if keys[i] == h.reply {
			s := step{sent: h.Known(keys[:i])}
			s.take(len(h.Keys), i)
			return s, true
		}
	}
	return step{}, false
}

// take notes that message i of the request is the reply, at place at.
func (s *step) take(at, i int) {
	s.sent = append(s.sent, int32(at))
	s.echoed, s.echo, s.fresh = true, i, i+1
}
