package curate

// bestFit keeps, from the newest on, every group that still fits: a window, and in
// the room that it leaves, older ones.
type bestFit struct {
	window
	least *Minima // tokens of each unit, by its head
	now   []Key   // heads of the older ones kept, from the newest to the oldest
	was   []Key
}

func (b *bestFit) Step(f *Facts, in, out *Layer) {
	if b.least == nil {
		b.least, b.extra = NewMinima(len(in.items)), NewSet(len(in.items))
	}
	was := b.head
	b.window.Step(f, in, out)
	note := func(k Key) { b.least.Set(unitHead(in, k), b.weight[unitHead(in, k)]) }
	for _, k := range in.delta {
		note(k)
	}
	b.eachLive(in, min(was, b.head), max(was, b.head), note)
	b.now, b.was = b.was[:0], b.now
	room := b.room(in) - b.sum
	for k := b.least.LastUpTo(b.start-1, room); k >= 0; k = b.least.LastUpTo(k-1, room) {
		b.now = append(b.now, k)
		room -= int64(b.weight[k])
	}
	for _, k := range b.was {
		b.extra.Remove(k)
	}
	for _, k := range b.now {
		b.extra.Add(k)
	}
	eachChange(b.was, b.now, func(k Key) { b.decide(in, out, k) })
}

// eachChange calls do for what is in one of two lists only, both from the newest
// to the oldest.
func eachChange(was, now []Key, do func(Key)) {
	i, j := 0, 0
	for i < len(now) || j < len(was) {
		switch {
		case j == len(was) || i < len(now) && now[i] > was[j]:
			do(now[i])
			i++
		case i == len(now) || was[j] > now[i]:
			do(was[j])
			j++
		default:
			i, j = i+1, j+1
		}
	}
}
