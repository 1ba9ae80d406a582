package flujo

import "agentlens/internal/model"

// A call is a provider call on its way into a thread.
type call struct {
	model.Call
	step      string
	iteration int       // from 1; 0 in no loop
	serial    int       // its place among all calls of an export
	owner     *step     // the step it was made in; nil where that is not known
	answer    model.Ref // its answer, as the record has it
	// group numbers the calls that saw one state of the conversation, rising;
	// -1 where a call makes no turns.
	group int
	given int // turns there were; -1 where the record does not show it
	said  []said
	// unread is a rendered history that is still to be taken apart; nil for none.
	unread *unread
}

// said is a text a call answered with, perhaps only its beginning, perhaps with
// masked secrets.
type said struct {
	text string
	cut  bool
}

// is reports whether t can be s.
func (s said) is(t string) bool {
	n, whole := follow(s.text, t)
	return n == len(s.text) && (whole || s.cut)
}

// link finds for each call the turn its answer became. flujo adds the turns of
// an iteration when it ends, and which of its calls get one is the author's
// choice, so texts are compared, within the turns of that iteration.
func link(turns []turn, calls []call) {
	seen := leadingUsers(turns)
	for i := 0; i < len(calls); {
		if calls[i].group < 0 {
			settle(&calls[i], seen)
			i++
			continue
		}
		j := i + 1
		for j < len(calls) && calls[j].group == calls[i].group {
			j++
		}
		begin := calls[i].given
		if begin < 0 {
			begin = min(seen, len(turns))
		}
		end := nextGiven(calls[j:], begin, len(turns))
		last := -1
		if end >= 0 && end <= len(turns) {
			last = linkBack(turns, begin, end, calls[i:j])
		} else {
			last = linkOn(turns, begin, calls[i:j])
		}
		for k := i; k < j; k++ {
			settle(&calls[k], begin)
		}
		seen = max(seen, begin, last+1)
		i = j
	}
}

func settle(c *call, given int) {
	if c.given < 0 {
		c.given = given
	}
	c.Given = c.given
}

// leadingUsers counts the turns that stood before anything was answered.
func leadingUsers(turns []turn) int {
	n := 0
	for n < len(turns) && turns[n].role != model.Assistant {
		n++
	}
	return n
}

// nextGiven is where the next group found the conversation, its end when there
// is none; -1 when unknown.
func nextGiven(rest []call, begin, end int) int {
	for i := range rest {
		if rest[i].group >= 0 {
			if rest[i].given < begin {
				return -1
			}
			return rest[i].given
		}
	}
	return end
}

// linkBack links from the last turn of a known range back: where two calls said
// the same, the turn is the later one's.
func linkBack(turns []turn, begin, end int, calls []call) (last int) {
	last = -1
	limit := len(calls)
	for i := end - 1; i >= begin; i-- {
		if turns[i].role != model.Assistant {
			continue
		}
		for k := limit - 1; k >= 0; k-- {
			if calls[k].answers(turns[i].text) {
				calls[k].Reply = model.Some(i)
				last, limit = max(last, i), k
				break
			}
		}
	}
	return last
}

// linkOn links forward where the end of the range is not known, and stops at
// the first answer after those of the group that is not one of them.
func linkOn(turns []turn, begin int, calls []call) (last int) {
	last = -1
	next := 0
	for i := begin; i < len(turns) && next < len(calls); i++ {
		if turns[i].role != model.Assistant {
			continue
		}
		k := next
		for k < len(calls) && !calls[k].answers(turns[i].text) {
			k++
		}
		switch {
		case k < len(calls):
			calls[k].Reply = model.Some(i)
			last, next = i, k+1
		case last >= 0:
			return last
		}
	}
	return last
}

func (c *call) answers(turn string) bool {
	for _, s := range c.said {
		if s.is(turn) {
			return true
		}
	}
	return false
}
