package engine

import (
	"slices"

	"agentlens/internal/model"
)

// recount makes the stage of a part count with the part's own sizes.
func (p *Part) recount() {
	own := &recounted{Stage: p.Stage, sizes: p.Sizes}
	p.Stage = own
	if about := p.Problems; about != nil {
		p.Problems = func(v *model.View) []model.Problem { return about(own.view(v)) }
	}
}

// recounted runs a stage with its own sizes.
type recounted struct {
	Stage
	sizes   *Sizes
	in, out *Layer
	seen    map[int32][2]int32 // sizes of a variant, to the stage and to the chain
}

func (c *recounted) Step(f *Facts, in, out *Layer) {
	if c.in == nil {
		c.in, c.out, c.seen = NewLayer(in.Keyspace), NewLayer(in.Keyspace), map[int32][2]int32{}
	}
	theirs := f.Contents.size
	f.Contents.size = sizer{run: theirs.run, sizes: c.sizes, read: theirs.read, err: theirs.err}
	c.in.Begin(in.Stamp())
	c.out.Begin(in.Stamp())
	for _, k := range in.Changed() {
		it := in.At(k)
		if !it.Live {
			c.in.Drop(k, it.why)
			continue
		}
		it.Tokens = c.own(f, in, k, it)
		c.in.Put(k, it, it.why)
	}
	c.Stage.Step(f, c.in, c.out)
	theirs.err = f.Contents.size.err
	f.Contents.size = theirs
	for _, keys := range [][]Key{in.Changed(), c.out.Changed()} {
		for _, k := range keys {
			c.hand(f, in, out, k)
		}
	}
}

// own returns the size of an item of the chain as counted by the stage.
func (c *recounted) own(f *Facts, in *Layer, k Key, it Item) int32 {
	if it.Variant == 0 {
		return c.sizes.Tokens[in.Place(k)]
	}
	s, ok := c.seen[it.Variant]
	if !ok {
		s = [2]int32{f.Contents.sized(k, it.Variant), it.Tokens}
		c.seen[it.Variant] = s
	}
	return s[0]
}

// hand copies the stage's result for k to the chain, with the chain's size.
func (c *recounted) hand(f *Facts, in, out *Layer, k Key) {
	it := c.out.At(k)
	switch {
	case !it.Live:
		out.Drop(k, it.why)
		return
	case it.Variant == in.At(k).Variant && in.Live(k):
		it.Tokens = in.At(k).Tokens
	default:
		s, ok := c.seen[it.Variant]
		if !ok {
			s = [2]int32{it.Tokens, f.Contents.sized(k, it.Variant)}
			f.list[it.Variant].Tokens = s[1]
			c.seen[it.Variant] = s
		}
		it.Tokens = s[1]
	}
	out.Put(k, it, it.why)
}

// view returns a copy of v with the sizes of the stage, in which the stage then finds
// problems. Added contents keep their size.
func (c *recounted) view(v *model.View) *model.View {
	own := *v
	own.Entries = slices.Clone(v.Entries)
	own.Original.Tokens, own.Curated.Tokens = 0, 0
	for i := range own.Entries {
		e := &own.Entries[i]
		if e.Index >= 0 {
			e.WasTokens = c.sizes.Tokens[e.Index]
			own.Original.Tokens += int64(e.WasTokens)
			if e.Text == nil && e.Calls == nil && !e.NoThinking && !e.EmptyArgs {
				e.Tokens = e.WasTokens
			}
		}
		if e.Fate != model.WasDropped {
			own.Curated.Tokens += int64(e.Tokens)
		}
	}
	return &own
}
