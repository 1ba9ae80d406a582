package compare

import (
	"slices"
	"strings"

	"agentlens/internal/curate/evidence"
	"agentlens/internal/curate/score"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/text"
)

// A measure is one number of each candidate: a column of the table.
type measure struct {
	Name  kit.Words
	cells int
	rank  int // narrow screens omit columns of high rank first
	help  kit.Words
	// value returns the number for sorting. known is false if there is none.
	value func(c *Candidate) (v float64, known bool)
	word  func(c *Candidate) kit.Words
}

// CompareColumns returns all columns, from left to right.
func CompareColumns() []measure {
	size := func(of func(c *Candidate) int64) (func(*Candidate) (float64, bool), func(*Candidate) kit.Words) {
		return func(c *Candidate) (float64, bool) { return float64(of(c)), true },
			func(c *Candidate) kit.Words { return kit.About(of(c), !c.Estimated) }
	}
	share := func(of func(c *Candidate) (float64, bool)) func(*Candidate) kit.Words {
		return func(c *Candidate) kit.Words { return c.gated(score.Percent(of(c))) }
	}
	here := func(c *Candidate) (float64, bool) {
		if c.here == nil {
			return 0, false
		}
		return float64(c.here.Tokens), true
	}
	hereWord := func(c *Candidate) kit.Words {
		if c.here == nil {
			return "–"
		}
		return kit.About(c.here.Tokens, !c.EstimatedViews)
	}
	sent, sentWord := size(func(c *Candidate) int64 { return c.Sent })
	peak, peakWord := size(func(c *Candidate) int64 { return c.Peak })
	saved := func(c *Candidate) (float64, bool) { return c.Saved() }
	prefix := func(c *Candidate) (float64, bool) { return c.PrefixKept() }
	lost := func(of func(l *evidence.Loss) evidence.Share) func(c *Candidate) (float64, bool) {
		return func(c *Candidate) (float64, bool) {
			s := of(&c.Loss)
			return s.Lost / max(s.Of, 1), s.Of > 0
		}
	}
	needed := lost(func(l *evidence.Loss) evidence.Share { return l.Needed })
	instructions := lost(func(l *evidence.Loss) evidence.Share { return l.Instructions })
	repeated := lost(func(l *evidence.Loss) evidence.Share { return l.Repeated })
	cost := func(c *Candidate) (float64, bool) { return c.Cost.Amount.USD(), c.Cost.Known() }
	return []measure{
		{"THIS CALL", 11, 4, "tokens of the messages sent at the current call", here, hereWord},
		{"SENT", 8, 0, "tokens of all prompts, system prompt and tools included", sent, sentWord},
		{"PEAK", 8, 1, "tokens of the largest prompt, system prompt and tools included", peak, peakWord},
		{"SAVED", 7, 2, "share of the prompts with the full history that was not sent", saved, share(saved)},
		{"DROPPED", 9, 6, "messages missing from at least one view", func(c *Candidate) (float64, bool) { return float64(c.EverDropped), c.Viewed > 0 }, func(c *Candidate) kit.Words { return kit.Int(c.EverDropped) }},
		{"CACHEABLE", 11, 6, "share of each prompt that repeats the previous prompt's beginning", prefix, share(prefix)},
		{"COST", 10, 0, "prompts and replies: $ recorded, ≈$ recorded usage at list prices, ~$ estimated, – no price known", cost, func(c *Candidate) kit.Words { return c.gated(c.Cost.String()) }},
		{"NEEDED", 8, 0, "share of the messages that replies used and their views had lost", needed, share(needed)},
		{"INSTRUCTIONS", 14, 3, "share of the messages with a demand of a person that some view had lost", instructions, share(instructions)},
		{"REPEATED", 10, 5, "share of the results requested again, without another reason, that the views had lost", repeated, share(repeated)},
		{"REFUSED", 9, 3, "calls whose view a provider would refuse, or with orphaned calls or results; lens lint says why", func(c *Candidate) (float64, bool) { return float64(c.RefusedCalls), c.Done }, refusedWord},
	}
}

// refusedWord returns the number of refused calls.
func refusedWord(c *Candidate) kit.Words { return kit.Int(c.RefusedCalls) }

// arrange sorts the rows by the selected column. Candidates without a score come last. The
// cursor stays on its row.
func (v *Table) arrange() {
	if v.Sort < 0 {
		return
	}
	at := v.Rows[v.Cursor].Chain
	of := CompareColumns()[v.Sort].value
	key := func(c *Candidate) (float64, bool) {
		if !c.scored {
			return 0, false
		}
		return of(c)
	}
	slices.SortStableFunc(v.Rows, func(a, b Candidate) int {
		x, known := key(&a)
		y, too := key(&b)
		switch {
		case known != too && known, known && too && x < y:
			return -1
		case known != too, known && x > y:
			return 1
		}
		return 0
	})
	v.Cursor = slices.IndexFunc(v.Rows, func(c Candidate) bool { return c.Chain == at })
	v.moveBy(0)
}

// fittingColumns returns the columns that leave enough space for the chains on a screen of w
// cells.
func fittingColumns(w int) []int {
	all := CompareColumns()
	for worst := 6; ; worst-- {
		var list []int
		room := w - leastChain
		for i := range all {
			if all[i].rank <= worst {
				list = append(list, i)
				room -= all[i].cells
			}
		}
		if room >= 0 || worst == 0 {
			return list
		}
	}
}

// leastChain is the least width of the chain column, in cells.
const leastChain = 24

// plain returns the table as text, with all columns.
func (v *Table) plain() string {
	var b strings.Builder
	all := CompareColumns()
	for i := range all {
		b.WriteString(string(padded(all[i].Name, all[i].cells)))
	}
	b.WriteString("   CHAIN\n")
	for i := range v.Rows {
		c := &v.Rows[i]
		for j := range all {
			b.WriteString(string(padded(c.Cell(&all[j]), all[j].cells)))
		}
		b.WriteString(string(c.bestMark()+c.Title()) + "\n")
	}
	return b.String()
}

// Cell returns a number of a candidate, or a dash.
func (c *Candidate) Cell(col *measure) kit.Words {
	if !c.scored {
		return "–"
	}
	return col.word(c)
}

// Title returns the name and the chain of a candidate.
func (c *Candidate) Title() kit.Words {
	w := c.Name
	if c.Chain != "" && c.Name != "" {
		w += "  "
	}
	if c.Chain != "" {
		w += c.ChainWords
	}
	switch {
	case c.Why != "":
		w += "  (" + c.Why + ")"
	case c.scored && c.Viewed < c.Of:
		w += "  (" + c.partly() + ")"
	}
	return w
}

// bestMark returns the two cells before the chain.
func (c *Candidate) bestMark() kit.Words {
	if c.best {
		return " ◆ "
	}
	return "   "
}

// partly returns how many of the calls are scored, or how many have a known view if all are
// scored.
func (c *Candidate) partly() kit.Words {
	if c.Calls < c.Of {
		return kit.Int(c.Calls) + " of " + kit.Int(c.Of) + " calls"
	}
	return "views of " + kit.Int(c.Viewed) + " of " + kit.Int(c.Of) + " calls"
}

// padded pads a word to n cells on the left.
func padded(w kit.Words, n int) kit.Words {
	return kit.Repeat(" ", n-text.Width(string(w))) + w
}
