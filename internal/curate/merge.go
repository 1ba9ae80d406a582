package curate

import "agentlens/internal/model"

// merge joins neighbouring texts of one role. Each message of a run knows the text
// of the run up to it, so that a message that comes at the end costs no more than
// itself.
type merge struct {
	heads []key  // per key, the first message of its run
	upTo  []item // per key, the run up to it, as its first message has it
	made  map[mergeID]item
}

type mergeID struct {
	head, k       key
	upTo, variant int32
}

const whyMerged = 1

func (m *merge) step(f *facts, in, out *layer) {
	if m.heads == nil {
		m.heads, m.upTo, m.made = make([]key, len(in.items)), make([]item, len(in.items)), map[mergeID]item{}
	}
	for _, k := range sorted(in.delta) {
		if in.isLive(k) {
			m.link(f, in, out, k)
			continue
		}
		m.upTo[k] = item{}
		out.drop(k, whyGone)
		if n := in.live.next(k); n >= 0 {
			m.link(f, in, out, n)
		} else if p := in.last(); p >= 0 {
			out.put(m.heads[p], m.upTo[p], 0)
		}
	}
}

// link brings k and what of its run stands behind it up to date.
func (m *merge) link(f *facts, in, out *layer, k key) {
	if p := in.prev(k); p >= 0 && !m.joins(f, in, p, k) {
		out.put(m.heads[p], m.upTo[p], 0)
	}
	for {
		head, it := k, in.items[k]
		if p := in.prev(k); p >= 0 && m.joins(f, in, p, k) {
			head, it = m.heads[p], m.join(f, in, m.heads[p], m.upTo[p], k)
			out.drop(k, whyMerged)
		}
		was, wasHead := m.upTo[k], m.heads[k]
		m.heads[k], m.upTo[k] = head, it
		n := in.next(k)
		goesOn := n >= 0 && m.joins(f, in, k, n)
		if !goesOn {
			out.put(head, it, 0)
		}
		same := was.live && wasHead == head && was.variant == it.variant && was.tokens == it.tokens
		if n < 0 || same || !goesOn && m.heads[n] == n && m.upTo[n].live {
			return
		}
		k = n
	}
}

// joins reports whether the message at k can be merged into p, the one before it.
func (m *merge) joins(f *facts, in *layer, p, k key) bool {
	role := in.role(k)
	return role == in.role(p) && (role == model.User || role == model.Assistant) && noCallsAt(f, in, p) && onlyText(f, in, k)
}

func noCallsAt(f *facts, in *layer, k key) bool { return !in.isMessage(k) || noCalls(f, in, k) }

// onlyText reports whether nothing but its text is sent of the message at k.
func onlyText(f *facts, in *layer, k key) bool {
	if !in.isMessage(k) {
		return true
	}
	m := in.thread.At(in.message(k))
	for i := range m.Parts {
		if kind := m.Parts[i].Kind; kind != model.Text && (kind != model.Thinking || !f.vars.list[in.items[k].variant].noThinking) {
			return false
		}
	}
	return noCalls(f, in, k)
}

func (m *merge) join(f *facts, in *layer, head key, upTo item, k key) item {
	id := mergeID{head, k, upTo.variant, in.items[k].variant}
	it, ok := m.made[id]
	if !ok {
		it = f.vars.add(in.keyspace, head, upTo, f.stage, appendText{vars: f.vars, space: in.keyspace, k: k, it: in.items[k]})
		m.made[id] = it
	}
	return it
}

// appendText puts the text of another message behind a message's own. What it
// comes to in tokens is a sum, not a count.
type appendText struct {
	vars  *variants
	space *keyspace
	k     key
	it    item
}

func (e appendText) apply(c *content) {
	text := e.vars.text(e.space, e.k, e.it)
	if text != "" && (c.original != "" || len(c.text) > 1 || len(c.text) == 1 && c.text[0].Insert != "") {
		text = "\n\n" + text
	}
	if text != "" {
		c.text = append(c.text, model.Piece{Insert: text})
	}
}

func (e appendText) guess(base variant) (tokens, runes int32) {
	return base.tokens + max(0, e.it.tokens-Overhead) + 1, base.runes + e.vars.runes(e.space, e.k, e.it) + 2
}

func (appendText) standsIn()      {}
func (appendText) reason() string { return "the texts of the same role behind it are merged into it" }
