package inspector

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

func TestTimeline(t *testing.T) {
	d := open(t, 120, 36).Lacks("timeline · ").Press("T").Shows(" sent at call 13", "s system 109", "t tool 1.2k", "largest 5.7k at call 5")
	d.Press("left").Shows("◀ 12/13 ▶").Press("home").Shows("◀ 1/13 ▶").Press("end").Shows("◀ next ▶")
	d.Press("home", "x").Shows("◀ 2/13 ▶").Press("x").Shows("no other such call").Press(">").Shows("◀ 6/13 ▶").Press("b").Shows("no other such call").Press("B").Shows("no other")
	d.Press("end", "x").Shows("◀ 2/13 ▶", "wrapped to the first call").Press("home", "X").Shows("◀ 2/13 ▶", "wrapped to the last call")
	d.Press("M").Shows("◀ 5/13 ▶").Press("m").Shows("mark this place with a letter").Press("esc").Press("enter").Shows("? help").Press("T").Shows("← → call").Press("T").Lacks("timeline · ")
	d.Press("{", "b").Shows("◀ 6/13 ▶").Press("b").Shows("no other such call")
	open(t, 120, 14).Press("T").Shows("too low for the timeline")
}

func TestTimelineFollowsTheChain(t *testing.T) {
	d := open(t, 160, 50).Shows("timeline · sent at each call", "largest 5.7k").Press("s").Type("sliding_window(3)").Press("enter").Lacks("largest 5.7k")
	_, y := d.At(" timeline · sent at each call")
	d.Click(1, y+2).Shows("◀ 1/13 ▶").Click(7, y+3).Shows("◀ 3/13 ▶")
}

// TestTimelineMarksFirings checks that the timeline shows at which calls a stateful stage of the
// chain acted.
func TestTimelineMarksFirings(t *testing.T) {
	open(t, 160, 50).Lacks("the chain acted").Press("s").Type("compact(6 msgs, keep=2)").Press("enter").Shows("▾ the chain acted")
	open(t, 160, 50).Press("s").Type("sliding_window(3)").Press("enter").Lacks("the chain acted")
}

func TestTimelineOfAThreadWithoutCalls(t *testing.T) {
	d := open(t, 160, 50, func(c *Config) { c.Thread = "7f00000000000001" }).Shows("timeline · sent at each call")
	d.send(tea.WindowSizeMsg{Width: 41, Height: 50}).Screen()
}
