package engine

import (
	"agentlens/internal/curate/keyset"
	"agentlens/internal/model"
)

// A Flow compares the view of a call with that of the previous call.
type Flow struct {
	// Prefix is the size of the shared prefix in tokens: the part that a provider can cache.
	Prefix int64
	// Dropped is the number of given messages that are not in the view.
	Dropped int
}

// Flow returns the flow of every recorded call and of the next one, in time proportional to the
// number of changes.
func (r *Replayed) Flow() []Flow {
	type change struct {
		key    Key
		tokens int64
		live   bool
		gone   bool
		of     bool // of a message of the thread
		text   bool // the last stage put the message into a text
	}
	changes := make([][]change, r.Calls()+2)
	for k := range Key(len(r.heads)) {
		for i := r.heads[k]; i >= 0; i = r.events[i].prev {
			e := r.events[i]
			live := !e.gone && e.fate != model.WasDropped
			changes[e.call] = append(changes[e.call], change{k, int64(e.tokens), live, e.gone, r.space.IsMessage(k), !live && r.beforeText(e).fate != model.WasDropped})
		}
	}
	size := Key(len(r.heads))
	view, dropped, isDropped := keyset.NewSums(int(size)), 0, make([]bool, size)
	calls := make([]Flow, r.Calls()+1)
	for n := range calls {
		end := r.breaks[n]
		if end < 0 {
			end = size
		}
		calls[n].Prefix = view.Before(end) + r.moved[n+1].beyond
		if o := r.listAt(n + 1); o != nil && o.differs >= 0 {
			calls[n].Prefix = o.prefix
		}
		for _, c := range changes[n+1] {
			tokens := c.tokens
			if !c.live {
				tokens = 0
			}
			view.Set(c.key, tokens)
			if now := c.of && !c.live && !c.gone && !c.text; now != isDropped[c.key] {
				isDropped[c.key] = now
				if now {
					dropped++
				} else {
					dropped--
				}
			}
		}
		calls[n].Dropped = dropped
		if sent := r.Sent(n + 1); sent != nil {
			shown := int(r.given[n])
			if cut := r.Cut(n + 1); cut != nil {
				shown = min(shown, cut.From)
			}
			calls[n].Dropped = shown
			for i := range sent {
				if at, ok := sent[i].Index.Get(); ok && at < shown {
					calls[n].Dropped--
				}
			}
		}
		if r.nearSent(n + 1) {
			calls[n].Prefix = r.sharing(n + 1).tokens
		}
	}
	return calls
}
