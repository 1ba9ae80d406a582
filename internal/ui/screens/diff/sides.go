package diff

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/worddiff"
)

// leastSides is the least width of a screen with two columns, in cells.
const leastSides = 60

// toggleSides switches between one and two columns, also for later diffs.
func (v *Diff) toggleSides(h kit.Host) tea.Cmd {
	v.Sides = !v.Sides
	v.layOutShort()
	return h.Do(Sides{v.Sides})
}

func (v *Diff) noSides() kit.Words {
	if v.Width < leastSides {
		return tooNarrow
	}
	return ""
}

// paired puts two lines next to each other. A nil line leaves its column empty.
func paired(left, right *kit.Line) kit.Line {
	out := kit.Line{Indent: kit.BodyIndent - 3, Right: &kit.Line{Indent: 1}}
	if left != nil {
		out = *left
		out.Right = &kit.Line{Indent: 1}
	}
	if right != nil {
		out.Right = right
	}
	return out
}

// sideLines lays out a row in two columns.
func (v *Diff) sideLines(out []kit.Line, t *DiffText, width int) []kit.Line {
	head := v.headLine(t)
	switch t.Row.Kind {
	case GoneRow:
		return append(out, paired(&head, nil))
	case NewRow:
		head.Indent = 1
		return append(out, paired(nil, &head))
	case SameRow:
		return append(out, head)
	}
	out = append(out, head)
	for i := 0; i < len(t.Lines); {
		if len(out) > maxMessageLines {
			return leftLines(out, t.omittedFrom(i))
		}
		out = leftLines(out, t.Fold[i])
		end := i + 1
		for end < len(t.Lines) && t.Fold[end] == 0 && oneSided(t.Lines[end-1]) && oneSided(t.Lines[end]) {
			end++
		}
		out = v.sidesOf(out, t.Lines[i:end], width)
		i = end
	}
	return leftLines(out, t.More)
}

// oneSided reports whether a whole line was deleted or inserted.
func oneSided(parts []kit.Part) bool {
	return len(parts) > 0 && !slices.ContainsFunc(parts, func(p kit.Part) bool { return p.Kind != parts[0].Kind || p.Kind == worddiff.Same })
}

// sidesOf lays out corresponding lines. Both columns start at the same line of the screen
// and wrap independently.
func (v *Diff) sidesOf(out []kit.Line, lines [][]kit.Part, width int) []kit.Line {
	var sides [2][]kit.Line
	room := kit.Half(width) - kit.BodyIndent + 1
	for _, parts := range lines {
		for s, not := range [...]worddiff.Kind{worddiff.Inserted, worddiff.Deleted} {
			kept := slices.DeleteFunc(slices.Clone(parts), func(p kit.Part) bool { return p.Kind == not })
			if len(kept) == 0 && oneSided(parts) {
				continue
			}
			for _, wrapped := range WrapParts(cutParts(kept, room), room, v.Marks) {
				sides[s] = append(sides[s], kit.Line{Parts: wrapped, Indent: [2]int{kit.BodyIndent, 2}[s], Marks: v.Marks})
			}
		}
	}
	for i := range max(len(sides[0]), len(sides[1])) {
		var both [2]*kit.Line
		for s := range sides {
			if i < len(sides[s]) {
				both[s] = &sides[s][i]
			}
		}
		out = append(out, paired(both[0], both[1]))
	}
	return out
}
