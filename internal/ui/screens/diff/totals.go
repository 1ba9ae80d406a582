package diff

import (
	"agentlens/internal/model"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/text"
	"agentlens/internal/ui/view"
)

// A Total is a figure of the left and the right run, and how much more the right one has.
type Total struct{ Name, Left, Right, More kit.Words }

// totals returns the totals of two runs. The first row holds the names of the columns.
func totals(left, right *model.Run, otherFirst bool, prices view.Prices, gated func(string) kit.Words) []Total {
	list := []Total{{"totals", thisRun, otherRun, "difference"}}
	if otherFirst {
		list[0].Left, list[0].Right = list[0].Right, list[0].Left
	}
	a, b := view.FiguresOf(left, prices, gated), view.FiguresOf(right, prices, gated)
	for i := range a {
		list = append(list, Total{a[i].Name, a[i].Word, b[i].Word, a[i].To(&b[i])})
	}
	return list
}

// line returns the row of the table.
func (t *Total) line() kit.Words {
	line := t.Name
	for i, w := range [...]kit.Words{t.Left, t.Right, t.More} {
		line += kit.Repeat(" ", max(totalColumns[i]-text.Width(string(line)), 1)) + w
	}
	return line
}

// totalColumns are the first cells of the columns after the name.
var totalColumns = [...]int{20, 34, 48}
