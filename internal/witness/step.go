package witness

import (
	"cmp"
	"slices"

	"agentlens/internal/model"
)

// The thresholds of a verdict. They were measured on 544 Claude Code sessions: 98.8 % of
// the calls within five minutes read at least covered of the previous prompt from the
// cache, and every known fall exceeds fellTokens and fellShare.
const (
	covered    = 0.97
	fellTokens = 4000
	fellShare  = 0.05
	// grownNear and grownShare bound the deviation of a prompt's growth from the estimate
	// of what was added.
	grownNear  = 1500
	grownShare = 0.25
	minSteps   = 5 // appended steps that an estimate needs
	// Without an estimate, a growth agrees with what was added if a token has 1 to maxBytes bytes. Prose and
	// code have 2 to 6.
	maxBytes = 12
	// framed are the tokens around the messages of a step: roles and separators.
	framed = 64
	// parallel is the number of earlier calls that are searched for one that ended before another call began.
	parallel = 64
)

// A step is a counted call and the counted call that ended before it began.
type step struct {
	call, before int   // indices into the calls of the thread; before is -1 for the first counted call
	prompt, was  int64 // counted prompts, both greater than 0
	held         int64 // tokens that the cache held after the call before
	read         int64 // tokens read from the cache, or -1 if unknown
	stored       int64 // bytes of the messages added since, or -1 if the messages given are not a prefix
	change       change
	restarted    bool // a compaction or a cleared context is between the calls
}

// A change is a recorded reason for another prompt.
type change uint8

const (
	noChange    change = iota
	otherModel         // another model answered
	compaction         // a compaction, or a cleared context
	edit               // another recorded edit of the context
	otherTools         // both lists of tools are recorded and differ
	otherPrompt        // the record contains the requests, or fewer messages were given
)

// changing maps the kinds of markers that change a prompt.
var changing = map[model.MarkerKind]change{
	model.Compaction: compaction, model.ContextCleared: compaction,
	model.Microcompaction: edit, model.ContextEdit: edit, model.HistoryCurated: edit, model.Rewind: edit,
	model.StepSummarised: edit, model.StepExpanded: edit,
}

// steps returns the counted calls of a thread, in order.
func steps(t *model.Thread) []step {
	marks := changes(t)
	sums := storedBytes(t)
	all := make([]step, 0, len(t.Calls))
	next := 0
	for k := range t.Calls {
		c := &t.Calls[k]
		s := step{call: k, before: -1, read: -1, stored: -1}
		if s.prompt = counted(c); s.prompt == 0 {
			continue
		}
		if read, ok := c.Usage.Tokens(model.UsageCacheRead); ok {
			s.read = read
		}
		if s.before = Before(t, k); s.before >= 0 {
			b := &t.Calls[s.before]
			s.was, s.held = counted(b), held(b)
			for next < len(marks) && marks[next].after < b.Given {
				next++
			}
			s.change, s.restarted = changeBetween(b, c, marks[next:])
			if c.GivenList() == nil && b.GivenList() == nil && c.Given >= b.Given && c.Given < len(sums) {
				s.stored = sums[c.Given] - sums[b.Given]
			}
		}
		all = append(all, s)
	}
	return all
}

// held returns the tokens of the prompt of a call that the cache held after it: what it read and wrote, or all of the
// prompt if the provider does not count writes. What a provider neither reads nor writes was never in its cache.
func held(c *model.Call) int64 {
	written, known := c.Usage.Tokens(model.UsageCacheWrite)
	if !known {
		return counted(c)
	}
	read, _ := c.Usage.Tokens(model.UsageCacheRead)
	return min(counted(c), max(0, read)+max(0, written))
}

// counted returns the counted prompt of a call in tokens, or 0 if it is unknown.
func counted(c *model.Call) int64 {
	n, ok := c.Usage.Prompt()
	if !ok {
		return 0
	}
	return n
}

// Before returns the index of the last counted call whose reply was given to the call with
// index k, or -1. Index len(t.Calls) is the call after the record.
func Before(t *model.Thread, k int) int {
	given := t.Len()
	if k < len(t.Calls) {
		given = t.Calls[k].Given
	}
	for i := k - 1; i >= 0 && i >= k-parallel; i-- {
		b := &t.Calls[i]
		reply, replied := b.Reply.Get()
		if counted(b) > 0 && (!replied || reply < given) {
			return i
		}
	}
	return -1
}

// A mark is a marker that changes the prompts after a message.
type mark struct {
	after int
	what  change
}

// changes returns the markers that change prompts, by position.
func changes(t *model.Thread) []mark {
	var marks []mark
	for i := range t.Markers {
		if what := changing[t.Markers[i].Kind]; what != noChange {
			marks = append(marks, mark{t.Markers[i].After, what})
		}
	}
	slices.SortStableFunc(marks, func(a, b mark) int { return cmp.Compare(a.after, b.after) })
	return marks
}

// changeBetween returns the first recorded reason, in the order of the kinds, why the
// prompt of c differs from that of b, and whether the context restarted between them. marks
// begins after b.
func changeBetween(b, c *model.Call, marks []mark) (found change, restarted bool) {
	for _, m := range marks {
		if m.after >= c.Given {
			break
		}
		if found == noChange || m.what < found {
			found = m.what
		}
	}
	restarted = found == compaction
	switch {
	case b.Model() != "" && c.Model() != "" && b.Model() != c.Model():
		return otherModel, restarted
	case found != noChange:
		return found, restarted
	case toolsDiffer(b, c):
		return otherTools, restarted
	case c.Basis == model.Recorded || c.Given < b.Given || c.GivenList() != nil:
		return otherPrompt, restarted
	}
	return noChange, restarted
}

// toolsDiffer reports whether both calls record their tools and the lists differ.
func toolsDiffer(b, c *model.Call) bool {
	if b.Request != nil && c.Request != nil && b.Request.Tools != nil && c.Request.Tools != nil {
		return b.Request != c.Request && !slices.EqualFunc(b.Request.Tools, c.Request.Tools, func(x, y model.ToolDef) bool { return x.Name == y.Name })
	}
	return b.Tools() != nil && c.Tools() != nil && !slices.Equal(b.Tools(), c.Tools())
}

// storedBytes returns the prefix sums of the stored sizes of the messages.
func storedBytes(t *model.Thread) []int64 {
	sums := make([]int64, t.Len()+1)
	for i := range t.Len() {
		sums[i+1] = sums[i] + t.At(i).StoredBytes()
	}
	return sums
}

// covers reports whether the provider read the previous prompt from its cache.
func (s *step) covers() bool { return s.read >= 0 && float64(s.read) >= covered*float64(s.was) }

// fell reports whether the prompt shrank by more than the thresholds.
func (s *step) fell() bool {
	less := s.was - s.prompt
	return less > fellTokens && float64(less) >= fellShare*float64(s.was)
}

// perByte returns the counted tokens per stored byte over the steps that the cache proves
// to be appended, or 0 if there are too few.
func perByte(all []step) float64 {
	tokens, bytes, n := 0.0, 0.0, 0
	for i := range all {
		if s := &all[i]; s.before >= 0 && s.change == noChange && s.covers() && s.stored > 0 && s.prompt > s.was {
			tokens += float64(s.prompt - s.was)
			bytes += float64(s.stored)
			n++
		}
	}
	if n < minSteps {
		return 0
	}
	return tokens / bytes
}

// grew reports whether the prompt grew by about what was added.
func (s *step) grew(perByte float64) bool {
	if s.stored <= 0 || s.prompt < s.was {
		return false
	}
	if perByte == 0 {
		grown := s.prompt - s.was
		return grown*maxBytes >= s.stored && grown <= s.stored+framed
	}
	want := perByte * float64(s.stored)
	off := float64(s.prompt-s.was) - want
	return max(off, -off) <= max(grownNear, grownShare*want)
}
