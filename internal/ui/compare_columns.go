package ui

import (
	"slices"
	"strings"

	"agentlens/internal/curate/score"
	"agentlens/internal/ui/text"
)

// A measure is one figure of contenders, a column of the table.
type measure struct {
	name  words
	cells int
	rank  int // the higher, the sooner a narrow screen leaves it out
	help  words
	// value is the figure, for sorting; known is false where there is none.
	value func(c *contender) (v float64, known bool)
	word  func(c *contender) words
}

// compareColumns is the table of all columns, from left to right.
func compareColumns() []measure {
	size := func(of func(c *contender) int64) (func(*contender) (float64, bool), func(*contender) words) {
		return func(c *contender) (float64, bool) { return float64(of(c)), true },
			func(c *contender) words { return about(of(c), !c.Estimated) }
	}
	share := func(of func(c *contender) (float64, bool)) func(*contender) words {
		return func(c *contender) words { return words(score.Percent(of(c))) }
	}
	here := func(c *contender) (float64, bool) {
		if c.here == nil {
			return 0, false
		}
		return float64(c.here.Tokens), true
	}
	hereWord := func(c *contender) words {
		if c.here == nil {
			return "–"
		}
		return about(c.here.Tokens, !c.Estimated)
	}
	sent, sentWord := size(func(c *contender) int64 { return c.Sent })
	peak, peakWord := size(func(c *contender) int64 { return c.Peak })
	saved := func(c *contender) (float64, bool) { return c.Saved() }
	prefix := func(c *contender) (float64, bool) { return c.PrefixKept() }
	loss := func(c *contender) (float64, bool) { return c.Loss.Share() }
	return []measure{
		{"HERE", 8, 3, "tokens of the messages that the call on the screen is sent", here, hereWord},
		{"SENT", 8, 0, "tokens of the messages of all calls together", sent, sentWord},
		{"PEAK", 8, 1, "tokens of the messages of the largest call", peak, peakWord},
		{"SAVED", 7, 1, "share of the full history that was not sent, over all calls", saved, share(saved)},
		{"DROPPED", 9, 5, "messages that are missing from some view", func(c *contender) (float64, bool) { return float64(c.EverDropped), true }, func(c *contender) words { return figureWhole(c.EverDropped) }},
		{"PREFIX", 8, 4, "share of what is sent that stands at the head of the call before unchanged: a prompt cache has it", prefix, share(prefix)},
		{"COST", 9, 2, "of the prompts alone: what a cache has at its price, the rest at that of input; – where no price is known", func(c *contender) (float64, bool) { return c.Cost.USD, c.Cost.Known }, func(c *contender) words { return words(c.Cost.String()) }},
		{"LOSS", 6, 0, "share of what the recorded replies show they needed, and the view of their call has not", loss, share(loss)},
		{"REFUSED", 9, 2, "calls whose view some provider would refuse, or that break a pair; ≥ where there are too many to look at each; lens lint says why", func(c *contender) (float64, bool) { return float64(c.RefusedCalls), c.Done }, refusedWord},
	}
}

// refusedWord is at how many calls a view would be refused; ≥ where not all of the views
// were looked at.
func refusedWord(c *contender) words {
	if c.Checked < c.Calls {
		return "≥" + figureWhole(c.RefusedCalls)
	}
	return figureWhole(c.RefusedCalls)
}

// arrange puts the rows in the order of the column that is sorted by, those that are
// not scored last; the cursor stays on its row.
func (v *compareView) arrange() {
	if v.sort < 0 {
		return
	}
	at := v.rows[v.cursor].chain
	of := compareColumns()[v.sort].value
	key := func(c *contender) (float64, bool) {
		if !c.scored {
			return 0, false
		}
		return of(c)
	}
	slices.SortStableFunc(v.rows, func(a, b contender) int {
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
	v.cursor = slices.IndexFunc(v.rows, func(c contender) bool { return c.chain == at })
	v.moveBy(0)
}

// fittingColumns are the columns that leave a screen of w cells room for the chains.
func fittingColumns(w int) []int {
	all := compareColumns()
	for worst := 5; ; worst-- {
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

// leastChain is the least width of the chains, in cells.
const leastChain = 24

// plain is the table as text, with all columns.
func (v *compareView) plain() string {
	var b strings.Builder
	all := compareColumns()
	for i := range all {
		b.WriteString(padded(all[i].name, all[i].cells))
	}
	b.WriteString("  CHAIN\n")
	for i := range v.rows {
		c := &v.rows[i]
		for j := range all {
			b.WriteString(padded(c.cell(&all[j]), all[j].cells))
		}
		b.WriteString("  " + string(c.title()) + "\n")
	}
	return b.String()
}

// cell is a figure of a contender; a dash where it has none.
func (c *contender) cell(col *measure) words {
	if !c.scored {
		return "–"
	}
	return col.word(c)
}

// title is what a contender is called.
func (c *contender) title() words {
	w := c.name
	if c.chain != "" && c.name != "" {
		w += "  "
	}
	if c.chain != "" {
		w += c.told
	}
	switch {
	case c.why != "":
		w += "  (" + c.why + ")"
	case c.scored && c.Calls < c.Of:
		w += "  (" + c.partly() + ")"
	}
	return w
}

// partly says of how many calls the figures are, where that is not all of them.
func (c *contender) partly() words {
	return figureWhole(c.Calls) + " of " + figureWhole(c.Of) + " calls"
}

// padded is a word at the right of n cells.
func padded(w words, n int) string {
	return string(repeat(" ", n-text.Width(string(w))) + w)
}
