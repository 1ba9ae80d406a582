package curate

// choice keeps some units of a view, chosen anew at each call; what it costs is
// what is chosen and what changed. The window in it keeps the sizes of the units.
type choice struct {
	window
	now   []Key // heads of the units kept, from the newest to the oldest
	was   []Key // those of the call before
	keeps *Set
	turn  Key // what is dropped from here on is of the turn at hand, when more than 0
}

// weighAll brings the sizes of the units up to date; it returns the end of the
// system head at the call before.
func (c *choice) weighAll(in *Layer) (was Key) {
	if c.weighted == nil {
		c.begin(in)
		c.keeps = NewSet(len(in.items))
	}
	was = c.head
	c.head = c.headOf(in)
	for _, k := range in.delta {
		c.weigh(in, k)
	}
	c.eachLive(in, min(was, c.head), max(was, c.head), func(k Key) { c.weigh(in, k) })
	return was
}

// start begins a choice: now is to be filled.
func (c *choice) start() { c.now, c.was = c.was[:0], c.now }

// settle lets the units in now through and drops the others.
func (c *choice) settle(in, out *Layer, was Key) {
	for _, k := range c.was {
		c.keeps.Remove(k)
	}
	for _, k := range c.now {
		c.keeps.Add(k)
	}
	for _, k := range in.delta {
		c.decideUnit(in, out, unitHead(in, k))
	}
	c.eachLive(in, min(was, c.head), max(was, c.head), func(k Key) { c.decideUnit(in, out, unitHead(in, k)) })
	eachChange(c.was, c.now, func(k Key) { c.decideUnit(in, out, k) })
}

func (c *choice) decideUnit(in, out *Layer, head Key) {
	c.decideMember(in, out, head, head)
	if in.IsMessage(head) {
		for _, i := range in.Thread.Members(in.Place(head)) {
			if k := in.KeyOf(int(i)); k != head {
				c.decideMember(in, out, head, k)
			}
		}
	}
}

func (c *choice) decideMember(in, out *Layer, head, k Key) {
	switch {
	case !in.Live(k):
		out.Drop(k, whyGone)
	case k < c.head || c.keeps.Has(head):
		out.Put(k, in.items[k], 0)
	case c.turn > 0 && k > c.turn:
		out.Drop(k, whyTurn)
	default:
		out.Drop(k, whyOlder)
	}
}
