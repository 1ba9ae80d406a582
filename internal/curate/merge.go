package curate

import (
	"slices"

	"agentlens/internal/model"
)

// merge joins neighbouring texts of one role. Each message of a run knows the text
// of the run up to it, so that a message that comes at the end costs no more than
// itself.
type merge struct {
	merged Reason
	heads  []Key  // per key, the first message of its run
	upTo   []Item // per key, the run up to it, as its first message has it
	made   map[mergeID]Item
}

type mergeID struct {
	head, k       Key
	upTo, variant int32
}

func (m *merge) Step(f *Facts, in, out *Layer) {
	if m.heads == nil {
		m.heads, m.upTo, m.made = make([]Key, in.Size()), make([]Item, in.Size()), map[mergeID]Item{}
	}
	for _, k := range sorted(in.Changed()) {
		if in.Live(k) {
			m.link(f, in, out, k)
			continue
		}
		m.upTo[k] = Item{}
		out.Drop(k, Gone)
		if n := in.From(k); n >= 0 {
			m.link(f, in, out, n)
		} else if p := in.Last(); p >= 0 {
			out.Put(m.heads[p], m.upTo[p], ByEdit)
		}
	}
}

// link brings k and what of its run stands behind it up to date.
func (m *merge) link(f *Facts, in, out *Layer, k Key) {
	if p := in.Prev(k); p >= 0 && !m.joins(f, in, p, k) {
		out.Put(m.heads[p], m.upTo[p], ByEdit)
	}
	for {
		head, it := k, in.At(k)
		if p := in.Prev(k); p >= 0 && m.joins(f, in, p, k) {
			head, it = m.heads[p], m.join(f, in, m.heads[p], m.upTo[p], k)
			out.Drop(k, m.merged)
		}
		was, wasHead := m.upTo[k], m.heads[k]
		m.heads[k], m.upTo[k] = head, it
		n := in.Next(k)
		goesOn := n >= 0 && m.joins(f, in, k, n)
		if !goesOn {
			out.Put(head, it, ByEdit)
		}
		same := was.Live && wasHead == head && was.Variant == it.Variant && was.Tokens == it.Tokens
		if n < 0 || same || !goesOn && m.heads[n] == n && m.upTo[n].Live {
			return
		}
		k = n
	}
}

// joins reports whether the message at k can be merged into p, the one before it.
func (m *merge) joins(f *Facts, in *Layer, p, k Key) bool {
	role := in.Role(k)
	return role == in.Role(p) && (role == model.User || role == model.Assistant) && !f.MakesCalls(p, in.At(p)) && f.OnlyText(k, in.At(k))
}

func (m *merge) join(f *Facts, in *Layer, head Key, upTo Item, k Key) Item {
	id := mergeID{head, k, upTo.Variant, in.At(k).Variant}
	it, ok := m.made[id]
	if !ok {
		it = f.Edit(head, upTo, appendText{contents: f.Contents, k: k, it: in.At(k)})
		m.made[id] = it
	}
	return it
}

// appendText puts the text of another message behind a message's own. What it
// comes to in tokens is a sum, not a count.
type appendText struct {
	contents *Contents
	k        Key
	it       Item
}

func (e appendText) Apply(c *Content) {
	text := e.contents.Text(e.k, e.it)
	if text != "" && (c.Original != "" || len(c.Text) > 1 || len(c.Text) == 1 && c.Text[0].Insert != "") {
		text = "\n\n" + text
	}
	if text != "" {
		c.Text = append(c.Text, model.Piece{Insert: text})
	}
}

func (e appendText) Guess(base Variant) (tokens, runes int32) {
	return base.Tokens + max(0, e.it.Tokens-Overhead) + 1, base.Runes + e.contents.Runes(e.k, e.it) + 2
}

func (appendText) StandsIn()      {}
func (appendText) Reason() string { return "the texts of the same role behind it are merged into it" }

// sorted returns keys in view order.
func sorted(keys []Key) []Key {
	keys = slices.Clone(keys)
	slices.Sort(keys)
	return keys
}
