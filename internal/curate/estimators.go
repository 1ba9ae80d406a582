package curate

import (
	"context"
	"errors"
	"fmt"
	"math"

	"agentlens/internal/curate/tokens"
	"agentlens/internal/model"
)

// counted is the estimator of a stage that counts as its chain does.
const counted = "counted"

// perToken gives the characters of "role: text" that make a token of each simple
// estimator; flujo's is the latter.
var perToken = map[string]float64{"chars/4": 4, "chars/2.5": 2.5}

// tokensParam is the parameter of every strategy that counts tokens.
var tokensParam = Param{
	Name: "tokens", Kind: KindWord, Default: counted,
	Words: []string{counted, "o200k", "cl100k", "estimate", "recorded", "chars/4", "chars/2.5"},
	Help:  "what this stage counts by. counted: as everywhere; recorded: what the usage of the calls says; chars/2.5: characters of \"role: text\" (flujo)",
}

// byLength is the size of a message by its length alone; frame and calls are not
// counted.
func byLength(role model.Role, runes int32, perToken float64) int32 {
	return int32(max(1, math.Floor(float64(len(role.String())+len(": ")+int(runes))/perToken)))
}

// ErrNoUsage is the estimator "recorded" on a record that cannot carry it.
var ErrNoUsage = errors.New("tokens cannot be counted as recorded")

// Estimators lists the names [MeasureBy] takes.
func Estimators() []string { return tokensParam.Words[1:] }

// MeasureBy sizes a thread by a named estimator, whatever its model is.
func MeasureBy(ctx context.Context, run *model.Run, t *model.Thread, name string) (*Sizes, error) {
	s, err := MeasureSteps(ctx, run, t, tokens.Memo(tokens.For(t.LastModel())), nil)
	if err != nil {
		return nil, err
	}
	in := Input{Run: run, Thread: t, Sizes: s, Texts: true, ctx: ctx}
	return in.sizesBy(name)
}

// sizesBy are the sizes of the input by an estimator of [tokensParam]. They are
// made once for an input's Sizes. Where no texts may be read, an encoding has the
// sizes there are.
func (in *Input) sizesBy(name string) (*Sizes, error) {
	s := in.Sizes
	if name == counted || name == s.Method {
		return s, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if made := s.others[name]; made != nil {
		return made, nil
	}
	made, err := in.sizeBy(name)
	if err != nil {
		return nil, err
	}
	if s.others == nil {
		s.others = map[string]*Sizes{}
	}
	s.others[name] = made
	return made, nil
}

func (in *Input) sizeBy(name string) (*Sizes, error) {
	s := in.Sizes
	if per := perToken[name]; per > 0 {
		made := &Sizes{Tokens: make([]int32, len(s.Runes)), Runes: s.Runes, Method: name, counter: s.counter, perToken: per}
		for i := range made.Tokens {
			made.Tokens[i] = byLength(in.Thread.At(i).Role, s.Runes[i], per)
		}
		return made, nil
	}
	if name == "recorded" {
		return in.recordedSizes()
	}
	c, err := tokens.Named(name)
	if err != nil || !in.Texts {
		return s, err
	}
	made, err := Measure(in.ctx, in.Run, in.Thread, tokens.Memo(c))
	if err == nil && c.Name() != tokens.For(in.Thread.LastModel()).Name() {
		made.Exact = false // another model's tokenizer
	}
	return made, err
}

// recordedSizes are the sizes by the calls' usage: what a call's prompt has more
// than the one before is what the messages between them came to, in proportion to
// the sizes there are. Other messages are scaled by the [Calibration].
func (in *Input) recordedSizes() (*Sizes, error) {
	plain := *in
	plain.Runner = nil
	r, err := Recorded(in.ctx, plain)
	if err != nil {
		return nil, err
	}
	c := Calibrate(r)
	if !c.OK() {
		return nil, fmt.Errorf("%w: %s", ErrNoUsage, c.Fault)
	}
	s := in.Sizes.scaled(c.Factor)
	s.Method = "recorded"
	t := in.Thread
	for i := 1; i < len(t.Calls); i++ {
		before, call := &t.Calls[i-1], &t.Calls[i]
		from, known := before.Usage.Prompt()
		to, known2 := call.Usage.Prompt()
		ours := r.ours(i+1) - r.ours(i)
		grown := r.breaks[i] < 0 && before.GivenList == nil && call.GivenList == nil && call.Sent == nil && before.Sent == nil
		if !known || !known2 || !grown || ours < minStep || float64(to-from) < lowestFactor*ours || float64(to-from) > highestFactor*ours {
			continue
		}
		for j := before.Given; j < call.Given; j++ {
			s.Tokens[j] = int32(min(math.Round(float64(in.Sizes.Tokens[j])*float64(to-from)/ours), math.MaxInt32))
		}
	}
	return s, nil
}

// scaled are the sizes with every count times factor: an estimate.
func (s *Sizes) scaled(factor float64) *Sizes {
	made := &Sizes{Tokens: make([]int32, len(s.Tokens)), Runes: s.Runes, Method: s.Method, counter: s.counter, factor: factor}
	for i, n := range s.Tokens {
		made.Tokens[i] = made.size(int(n) - Overhead)
	}
	return made
}

// recounted runs a stage on sizes of its own.
type recounted struct {
	Stage
	sizes   *Sizes
	in, out *Layer
	seen    map[int32][2]int32 // of a variant: its size to the stage, and to the chain
}

func (c *recounted) Step(f *Facts, in, out *Layer) {
	if c.in == nil {
		c.in, c.out, c.seen = NewLayer(in.Keyspace), NewLayer(in.Keyspace), map[int32][2]int32{}
	}
	theirs := f.vars.size
	f.vars.size = sizer{run: theirs.run, sizes: c.sizes, read: theirs.read, err: theirs.err}
	c.in.Begin(in.stamp)
	c.out.Begin(in.stamp)
	for _, k := range in.delta {
		it := in.items[k]
		if !it.Live {
			c.in.Drop(k, it.why)
			continue
		}
		it.Tokens = c.size(f, in, k, it)
		c.in.Put(k, it, it.why)
	}
	c.Stage.Step(f, c.in, c.out)
	theirs.err = f.vars.size.err
	f.vars.size = theirs
	for _, keys := range [][]Key{in.delta, c.out.delta} {
		for _, k := range keys {
			c.hand(f, in, out, k)
		}
	}
}

// size is the size of an item of the chain to the stage.
func (c *recounted) size(f *Facts, in *Layer, k Key, it Item) int32 {
	if it.Variant == 0 {
		return c.sizes.Tokens[in.Place(k)]
	}
	s, ok := c.seen[it.Variant]
	if !ok {
		s = [2]int32{f.vars.sized(in.Keyspace, k, it.Variant), it.Tokens}
		c.seen[it.Variant] = s
	}
	return s[0]
}

// hand puts what the stage made of k into the chain, at the chain's size.
func (c *recounted) hand(f *Facts, in, out *Layer, k Key) {
	it := c.out.items[k]
	switch {
	case !it.Live:
		out.Drop(k, it.why)
		return
	case it.Variant == in.items[k].Variant && in.Live(k):
		it.Tokens = in.items[k].Tokens
	default:
		s, ok := c.seen[it.Variant]
		if !ok {
			s = [2]int32{it.Tokens, f.vars.sized(in.Keyspace, k, it.Variant)}
			f.vars.list[it.Variant].Tokens = s[1]
			c.seen[it.Variant] = s
		}
		it.Tokens = s[1]
	}
	out.Put(k, it, it.why)
}

// slot passes the slot on to a stage that adds messages.
func (c *recounted) slot(nth int) {
	if ins, ok := c.Stage.(inserter); ok {
		ins.slot(nth)
	}
}

// view is a view at the sizes of the stage, for what the stage says of it. What
// stages made keeps the size it has.
func (c *recounted) view(v *model.View) *model.View {
	own := *v
	own.Entries = append([]model.Entry{}, v.Entries...)
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
