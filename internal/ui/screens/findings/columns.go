package findings

import (
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/text"
	"agentlens/internal/ui/view"
)

// columns are the columns of a list of findings besides the text.
type columns struct {
	money  int  // width of the price or the kind of risk, in cells
	short  bool // the kind of risk is abbreviated
	places bool // a row ends with its place
}

// Widths of a list, in cells, from which rows have their places and whole kinds of risks.
const (
	placesFrom = 58
	wideFrom   = 100
)

// placeGap is the number of blanks before a place.
const placeGap = 2

// columnsOf returns the columns of a list of findings on width cells.
func columnsOf(list []view.Finding, width int) columns {
	c := columns{short: width < wideFrom, places: width >= placesFrom}
	for i := range list {
		c.money = max(c.money, text.Width(string(c.words(&list[i]))))
	}
	return c
}

// width returns the cells of a row before its text.
func (c *columns) width() int { return 1 + c.money + 4 }

// placeOf returns the width of the place of a finding with the blanks around it, in cells.
func (c *columns) placeOf(x *view.Finding) int {
	if !c.places || x.Place == "" {
		return 0
	}
	return text.Width(string(x.Place)) + placeGap + 1
}

func (c *columns) words(x *view.Finding) kit.Words {
	if c.short {
		return x.Short
	}
	return x.Money
}

// head paints the sign of a finding and its price or its risk.
func (c *columns) head(l *kit.LineWriter, x *view.Finding) {
	l.Words(x.Sign, x.Style)
	l.Blank(1)
	l.Within(c.money, func() { l.Words(c.words(x), kit.Title) })
	l.Blank(2)
}
