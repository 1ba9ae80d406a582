package findings

import (
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/text"
	"agentlens/internal/ui/view"
)

// columns are the columns of a list of findings besides the text.
type columns struct {
	money  int  // width of the price or the kind of risk, in cells
	places bool // a row ends with its place
}

// placesFrom is the width of a list, in cells, from which rows have their places.
const placesFrom = 58

// placeGap is the number of blanks before a place.
const placeGap = 2

// columnsOf returns the columns of a list of findings on width cells.
func columnsOf(list []view.Finding, width int) columns {
	c := columns{places: width >= placesFrom}
	for i := range list {
		c.money = max(c.money, text.Width(string(list[i].Money)))
	}
	return c
}

// width returns the cells of a row before its text.
func (c *columns) width() int { return 1 + c.money + 4 }

// placeOf returns the width of the place of a finding with the blanks around it, in cells.
func (c *columns) placeOf(place kit.Words) int {
	if !c.places || place == "" {
		return 0
	}
	return text.Width(string(place)) + placeGap + 1
}

// head paints the sign of a finding and its price or its risk.
func (c *columns) head(l *kit.LineWriter, x *view.Finding) {
	l.Words(x.Sign, x.Style)
	l.Blank(1)
	l.Within(c.money, func() { l.Words(x.Money, kit.Title) })
	l.Blank(2)
}
