package ui

import (
	"cmp"
	"strings"

	"agentlens/internal/ui/text"
)

// wrapBlocks lays blocks out for a pane of the given width. Sections in shut
// show only their headings. The bound holds but for the lines that say what is left out.
func wrapBlocks(blocks []block, width int, most lineBound, shut map[int]bool) []line {
	var out []line
	nth := 0
	for i := range blocks {
		b := &blocks[i]
		if len(out) >= most.all {
			return append(out, leftOut(bodyIndent, len(blocks)-i, "more part", most))
		}
		out = append(out, blockHead(b)...)
		like := line{text: b.text, doc: b.doc, indent: bodyIndent}
		switch b.kind {
		case thinkingBlock:
			like.indent, like.style = bodyIndent+2, dim
		case callBlock:
			like.indent, like.style = bodyIndent+2, title
		case failedBlock:
			like.style = failure
		}
		if b.kind == factsBlock {
			out = wrapFacts(out, like, width, cmp.Or(b.keyCells, factKey))
			continue
		}
		if len(b.sections) == 0 {
			out = wrapText(out, like, 0, len(b.text.String()), width, most.after(out))
			continue
		}
		out = wrapSections(out, b, width, most, nth, shut)
		nth += len(b.sections)
	}
	return out
}

// blockHead is the line above a block.
func blockHead(b *block) []line {
	l := line{indent: bodyIndent, style: dim, text: b.name, to: len(b.name.String())}
	switch b.kind {
	case thinkingBlock:
		l.own = "∴ thinking"
	case sealedBlock:
		l.own = "∴ thinking · sealed: " + b.note
	case callBlock:
		l.own, l.style = "→ ", roleTool
		if b.failed {
			l.own, l.style = "→ ✗ ", failure
		}
	case attachmentBlock:
		l.own = "▣ "
	case headBlock:
		return []line{{}, {indent: bodyIndent, own: b.note, style: accent}}
	case textBlock:
		if b.note != "" {
			return []line{{indent: bodyIndent, own: b.note, style: dim}}
		}
		return nil
	default:
		return nil
	}
	lines := []line{l}
	if b.note != "" && b.kind != sealedBlock {
		lines = append(lines, line{indent: bodyIndent + 2, own: b.note, style: dim})
	}
	return lines
}

// wrapFacts lays out lines of keys, of a column of so many cells, and values: what does
// not fit goes on below its value.
func wrapFacts(out []line, like line, width, keyCells int) []line {
	all := like.text.String()
	for from := 0; from < len(all); {
		end := len(all)
		if n := strings.IndexByte(all[from:], '\n'); n >= 0 {
			end = from + n
		}
		spans, _ := text.Wrap(nil, all[from:end], width-like.indent-1, 1)
		if len(spans) == 0 {
			from = end + 1
			continue
		}
		first := from + spans[0].To
		below := like
		like.from, like.to = from, first
		out = append(out, like)
		for first < end && all[first] == ' ' {
			first++
		}
		below.indent += min(keyCells, width/3)
		out = wrapText(out, below, first, end, width, pagerLines)
		from = end + 1
	}
	return out
}

// wrapText lays out bytes from to to of the text of a line, in lines like it.
func wrapText(out []line, like line, from, to, width int, most lineBound) []line {
	s := like.text.String()[from:to]
	if s == "" {
		return out
	}
	spans, rest := text.Wrap(nil, s, width-like.indent-1, most.each)
	for _, sp := range spans {
		like.from, like.to = from+sp.From, from+sp.To
		out = append(out, like)
	}
	if rest < len(s) {
		out = append(out, leftOut(like.indent, strings.Count(s[rest:], "\n")+1, "more line", most))
	}
	return out
}

// after is the bound of the part that follows the lines of out.
func (b lineBound) after(out []line) lineBound {
	b.each = max(min(b.each, b.all-len(out)), 1)
	return b
}

// leftOut is the line in place of n of what is not laid out.
func leftOut(indent, n int, what words, most lineBound) line {
	return line{indent: indent, style: dim, own: "… " + plural(n, what) + most.rest, more: n}
}

// wrapSections lays out a rendered prompt by its headings.
func wrapSections(out []line, b *block, width int, most lineBound, nth int, shut map[int]bool) []line {
	s := b.text.String()
	like := line{text: b.text, doc: b.doc, indent: bodyIndent}
	out = wrapText(out, like, 0, b.sections[0].at, width, most.after(out))
	hidden := 0 // level of the shut section we are in, 0 for none
	for i, sec := range b.sections {
		end := len(s)
		if i+1 < len(b.sections) {
			end = b.sections[i+1].at
		}
		if hidden > 0 && sec.level > hidden {
			continue
		}
		if len(out) >= most.all {
			return append(out, leftOut(bodyIndent, len(b.sections)-i, "more section", most))
		}
		hidden = 0
		eol := sec.at + len(s[sec.at:end])
		if n := strings.IndexByte(s[sec.at:end], '\n'); n >= 0 {
			eol = sec.at + n
		}
		head := line{text: b.text, from: sec.at, to: eol, indent: bodyIndent - 2, own: "▾ ", style: accent, section: nth + i + 1}
		if shut[nth+i+1] {
			head.own = "▸ "
			hidden = sec.level
		}
		out = append(out, head)
		if hidden == 0 && eol < end {
			out = wrapText(out, like, eol+1, end, width, most.after(out))
		}
	}
	return out
}
