package curate

// bestFit keeps, from the newest on, every group that still fits.
type bestFit struct {
	choice
	least *minTree // tokens of each unit, by its head
}

func (b *bestFit) step(f *facts, in, out *layer) {
	if b.least == nil {
		b.least = newMinTree(len(in.items))
	}
	was := b.weighAll(in, func(unit key) { b.least.set(unit, b.weight[unit]) })
	b.start()
	room := b.room(in)
	for k := b.least.lastUpTo(int32(len(in.items)-1), room); k >= 0; k = b.least.lastUpTo(k-1, room) {
		b.now = append(b.now, k)
		room -= int64(b.weight[k])
	}
	b.settle(in, out, was)
}

// choice keeps some units of a view, chosen anew at each call; what it costs is
// what is chosen and what changed. The window in it keeps the sizes of the units.
type choice struct {
	window
	now   []key // heads of the units kept, from the newest to the oldest
	was   []key // those of the call before
	keeps *bitset
}

// weighAll brings the sizes of the units up to date, and tells which changed; it
// returns the end of the system head at the call before.
func (c *choice) weighAll(in *layer, changed func(unit key)) (was key) {
	if c.weighted == nil {
		c.begin(in)
		c.keeps = newBitset(len(in.items))
	}
	was = c.head
	c.head = c.headOf(in)
	weigh := func(k key) {
		c.weigh(in, k)
		changed(unitHead(in, k))
	}
	for _, k := range in.delta {
		weigh(k)
	}
	c.eachLive(in, min(was, c.head), max(was, c.head), weigh)
	return was
}

// start begins a choice: now is to be filled.
func (c *choice) start() { c.now, c.was = c.was[:0], c.now }

// settle lets the units in now through and drops the others.
func (c *choice) settle(in, out *layer, was key) {
	for _, k := range c.was {
		c.keeps.clear(k)
	}
	for _, k := range c.now {
		c.keeps.set(k)
	}
	for _, k := range in.delta {
		c.decideUnit(in, out, unitHead(in, k))
	}
	c.eachLive(in, min(was, c.head), max(was, c.head), func(k key) { c.decideUnit(in, out, unitHead(in, k)) })
	i, j := 0, 0
	for i < len(c.now) || j < len(c.was) {
		switch {
		case j == len(c.was) || i < len(c.now) && c.now[i] > c.was[j]:
			c.decideUnit(in, out, c.now[i])
			i++
		case i == len(c.now) || c.was[j] > c.now[i]:
			c.decideUnit(in, out, c.was[j])
			j++
		default:
			i, j = i+1, j+1
		}
	}
}

func (c *choice) decideUnit(in, out *layer, head key) {
	c.decideMember(in, out, head, head)
	if in.isMessage(head) {
		for _, i := range in.thread.Members(in.message(head)) {
			if k := in.ofMessage(int(i)); k != head {
				c.decideMember(in, out, head, k)
			}
		}
	}
}

func (c *choice) decideMember(in, out *layer, head, k key) {
	switch {
	case !in.isLive(k):
		out.drop(k, whyGone)
	case k < c.head || c.keeps.has(head):
		out.put(k, in.items[k], 0)
	default:
		out.drop(k, whyOlder)
	}
}
