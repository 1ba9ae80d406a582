package ui

import (
	"strings"
	"testing"

	"agentlens/internal/model"
	"agentlens/internal/ui/uitest"
	"agentlens/internal/ui/worddiff"
)

// Of a line as long as a record a diff shows what changed at both ends of it, in a few
// lines, and how much lies between.
func TestLongLinesOfADiffAreCut(t *testing.T) {
	d := open(t, 120, 36, func(c *Config) {
		c.Load = load(uitest.Said(strings.Repeat("all on one line ", 100_000)))
		c.Chain, c.Call = "truncate_tool_results(50)", 2
	}).Press("d", "G").Shows("[-", "MB more", "{+")
	v := d.r.top().(*diffView)
	if n := len(v.lines); n > 3*diffLong {
		t.Errorf("%d lines", n)
	}
	for i := range v.texts {
		for _, l := range v.texts[i].laid {
			for _, p := range l.parts {
				if p.to-p.from > 120 {
					t.Fatalf("a line of %d bytes", p.to-p.from)
				}
			}
		}
	}
	d.Press("|").Shows("MB more", " │ ").Resize(60, 20).Press("g").Shows("~ 2 tool")
}

// What is cut out of a line is told, and nothing else of it is lost.
func TestCutParts(t *testing.T) {
	gate := uitest.Gate(t)
	long := gate.Text(strings.Repeat("日本語 und so weiter ", 2000))
	n := len(long.String())
	of := func(kind worddiff.Kind, from, to int) part { return part{text: long, from: from, to: to, kind: kind} }
	for name, c := range map[string]struct {
		parts       []part
		pieces, cut int
	}{
		"short":         {[]part{of(worddiff.Same, 0, 90), of(worddiff.Deleted, 90, 180)}, 2, 0},
		"deleted":       {[]part{of(worddiff.Deleted, 0, n)}, 1, 1},
		"replaced":      {[]part{of(worddiff.Deleted, 0, n), of(worddiff.Inserted, 0, n)}, 2, 2},
		"same, deleted": {[]part{of(worddiff.Same, 0, n-9), of(worddiff.Deleted, n-9, n)}, 2, 1},
		"deleted, same": {[]part{of(worddiff.Deleted, 0, 9), of(worddiff.Same, 9, n)}, 2, 1},
		"between":       {[]part{of(worddiff.Deleted, 0, 9), of(worddiff.Same, 9, n-9), of(worddiff.Deleted, n-9, n)}, 4, 1},
		"the same":      {[]part{of(worddiff.Same, 0, n)}, 1, 1},
	} {
		pieces, cut, left := 0, 0, 0
		for _, p := range c.parts {
			left += p.to - p.from
		}
		for _, p := range cutParts(c.parts, 40) {
			if p.own != "" {
				cut++
				continue
			}
			pieces++
			left -= p.to - p.from
			if s := long.String()[p.from:p.to]; s != strings.ToValidUTF8(s, "") || len(s) > diffLong*40 {
				t.Errorf("%s: a piece of %d bytes, cut inside a character: %v", name, len(s), s != strings.ToValidUTF8(s, ""))
			}
		}
		if pieces != c.pieces || cut != c.cut || (left > 0) != (cut > 0) {
			t.Errorf("%s: %d pieces and %d places left out, want %d and %d; %d bytes are left out", name, pieces, cut, c.pieces, c.cut, left)
		}
	}
	var many []part
	for i := range n / 3 {
		many = append(many, of(worddiff.Kind(1+i%2), 3*i, 3*i+3))
	}
	if out := cutParts(many, 4); len(out) > lineTall*4 || out[len(out)-1].own == "" {
		t.Errorf("%d pieces of %d are left of a line", len(out), len(many))
	}
}

// A message of which very much changed is shown up to a bound, with what is left of it.
func TestTallMessagesOfADiffAreCut(t *testing.T) {
	gate := uitest.Gate(t)
	text := gate.Text(strings.Repeat("a\n", 5000))
	row := diffText{row: diffRow{kind: changedRow, a: &model.Entry{}, b: &model.Entry{}}}
	for i := range 5000 {
		row.lines, row.fold = append(row.lines, []part{{text: text, from: 2 * i, to: 2*i + 1, kind: worddiff.Deleted}}), append(row.fold, i%3)
	}
	row.more = 7
	all := row.leftFrom(0)
	for _, sp := range []spread{{120, false}, {120, true}} {
		lines := (&diffView{pager: newPager("", nil)}).rowLines(&row, sp)
		if len(lines) > messageTall+10 {
			t.Errorf("%d lines", len(lines))
		}
		if last := lines[len(lines)-1].own; !strings.HasPrefix(string(last), "… ") || all != 5000+4999+7 {
			t.Errorf("it ends with %q of %d", last, all)
		}
	}
}
