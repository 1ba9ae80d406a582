package ui

import (
	"fmt"
	"strings"

	"agentlens/internal/export"
	"agentlens/internal/model"
)

// openHelp shows the keys of this screen first, then those of all others, and what the
// marks and badges mean.
func (r *root) openHelp() {
	s := r.screen()
	blocks := append(keyBlocks(r.cfg.Gate, s.own(), r.allTables(), commandBlocks(r.cfg.Gate)), mouseBlocks(r.cfg.Gate)...)
	p := newPager("help", append(blocks, signBlocks(r.cfg.Gate)...))
	p.toggle = []string{"?", "f1"}
	r.push(p)
}

func commandBlocks(gate *export.Gate) []block {
	var b strings.Builder
	for _, c := range commandTable() {
		fmt.Fprintf(&b, "%-*s %s\n", labelCells, c.name+" "+c.takes, c.help)
	}
	return listed(gate, "commands, typed after :", b.String())
}

// signBlocks say what the marks and badges on the screen mean.
func signBlocks(gate *export.Gate) []block {
	var marks, badges strings.Builder
	for _, m := range [...][2]string{
		{"c┊", "changed: the provider got another text"},
		{"d┊", "dropped: the provider did not get it"},
		{"┊", "at the right: a gap; at the left: not given at this call"},
		{"→", "a tool call; ✗ failed"},
		{"∴", "thinking"},
		{"~", "an estimate"},
		{"◆", "the call that is shown"},
	} {
		fmt.Fprintf(&marks, "%-*s %s\n", labelCells, m[0], m[1])
	}
	for _, bd := range model.AllBadges() {
		fmt.Fprintf(&badges, "‹%s›\n    %s\n", bd, bd.Help())
	}
	return append(listed(gate, "marks", marks.String()), listed(gate, "badges", badges.String())...)
}
