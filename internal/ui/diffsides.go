package ui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/worddiff"
)

// This file lays a diff out in two columns: at the left what was, at the right what is.

// leastSides is the width of the narrowest screen that has room for two columns, in
// cells.
const leastSides = 60

// toggleSides shows the diff in two columns, or in one again, and the next diffs too.
func (v *diffView) toggleSides(h host) tea.Cmd {
	v.sides = !v.sides
	v.layShort()
	return h.ask(sidesIntent{v.sides})
}

func (v *diffView) noSides() words {
	if v.width < leastSides {
		return "the screen is too narrow for two columns"
	}
	return ""
}

// paired puts two lines next to each other; nil is an empty place.
func paired(left, right *line) line {
	out := line{indent: bodyIndent - 3, right: &line{indent: 1}}
	if left != nil {
		out = *left
		out.right = &line{indent: 1}
	}
	if right != nil {
		out.right = right
	}
	return out
}

// sideLines lays a row out in two columns.
func (v *diffView) sideLines(out []line, t *diffText, width int) []line {
	head := v.headLine(t)
	switch t.row.kind {
	case goneRow:
		return append(out, paired(&head, nil))
	case newRow:
		head.indent = 1
		return append(out, paired(nil, &head))
	case sameRow:
		return append(out, head)
	}
	out = append(out, head)
	for i := 0; i < len(t.lines); {
		if len(out) > messageTall {
			return leftLines(out, t.leftFrom(i))
		}
		out = leftLines(out, t.fold[i])
		end := i + 1
		for end < len(t.lines) && t.fold[end] == 0 && oneSided(t.lines[end-1]) && oneSided(t.lines[end]) {
			end++
		}
		out = v.sidesOf(out, t.lines[i:end], width)
		i = end
	}
	return leftLines(out, t.more)
}

// oneSided reports whether all of a line was taken out, or put in.
func oneSided(parts []part) bool {
	return len(parts) > 0 && !slices.ContainsFunc(parts, func(p part) bool { return p.kind != parts[0].kind || p.kind == worddiff.Same })
}

// sidesOf lays out lines that stand against each other: each side for itself, from the
// same line of the screen on.
func (v *diffView) sidesOf(out []line, lines [][]part, width int) []line {
	var sides [2][]line
	room := half(width) - bodyIndent + 1
	for _, parts := range lines {
		for s, not := range [...]worddiff.Kind{worddiff.Inserted, worddiff.Deleted} {
			kept := slices.DeleteFunc(slices.Clone(parts), func(p part) bool { return p.kind == not })
			if len(kept) == 0 && oneSided(parts) {
				continue
			}
			for _, wrapped := range wrapParts(cutParts(kept, room), room, v.marks) {
				sides[s] = append(sides[s], line{parts: wrapped, indent: [2]int{bodyIndent, 2}[s], marks: v.marks})
			}
		}
	}
	for i := range max(len(sides[0]), len(sides[1])) {
		var both [2]*line
		for s := range sides {
			if i < len(sides[s]) {
				both[s] = &sides[s][i]
			}
		}
		out = append(out, paired(both[0], both[1]))
	}
	return out
}
