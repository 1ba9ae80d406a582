package ui

import (
	"fmt"
	"strings"

	"agentlens/internal/model"
)

// openHelp shows every action and what the badges mean.
func (r *root) openHelp() {
	var blocks []block
	group := words("")
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			blocks = append(blocks, block{kind: headBlock, note: group}, block{kind: textBlock, text: r.cfg.Gate.Text(b.String())})
			b.Reset()
		}
	}
	for _, g := range helpGroups(r.keys.table) {
		group = g
		for i := range r.keys.table {
			if a := &r.keys.table[i]; a.group == g {
				fmt.Fprintf(&b, "%-10s %s\n", a.label, a.help)
			}
		}
		flush()
	}
	group = "commands, typed after :"
	for _, c := range commandTable() {
		fmt.Fprintf(&b, "%-16s %s\n", c.name+" "+c.takes, c.help)
	}
	flush()
	for _, mode := range keyModes() {
		group = mode.name
		for _, row := range mode.rows {
			fmt.Fprintf(&b, "%-10s %s\n", row.hint.key, row.help)
		}
		flush()
	}
	group = "marks"
	for _, m := range [...][2]string{
		{"c┊", "changed: the provider got another text"},
		{"d┊", "dropped: the provider did not get it"},
		{"┊", "at the right: a gap; at the left: not given at this call"},
		{"→", "a tool call; ✗ failed"},
		{"∴", "thinking"},
		{"~", "an estimate"},
		{"◆", "the call that is shown"},
	} {
		fmt.Fprintf(&b, "%-10s %s\n", m[0], m[1])
	}
	flush()
	group = "badges"
	for _, bd := range model.AllBadges() {
		fmt.Fprintf(&b, "‹%s›\n    %s\n", bd, bd.Help())
	}
	flush()
	p := newPager("help", blocks)
	p.resize(r.w, r.h)
	r.push(p)
}

// A keyMode is a mode with keys of its own.
type keyMode struct {
	name words
	rows []keyRow
}

func keyModes() []keyMode {
	return []keyMode{{"in the list of stages, S", stageRows()}, {"on the timeline, T", stripRows()}}
}

func helpGroups(table []action) []words {
	var groups []words
	seen := map[words]bool{}
	for i := range table {
		if g := table[i].group; !seen[g] {
			seen[g] = true
			groups = append(groups, g)
		}
	}
	return groups
}
