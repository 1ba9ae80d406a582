package inspector

import (
	"fmt"
	"strings"

	"agentlens/internal/model"
	"agentlens/internal/safe"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/screens/pager"
)

// openHelp shows the keys of this screen, the keys of all other screens, the marks and the badges.
func (r *inspector) openHelp() {
	s := r.screen()
	blocks := append(kit.KeyBlocks(r.cfg.Gate, s.Words(), r.allTables(), commandBlocks(r.cfg.Gate)), kit.MouseBlocks(r.cfg.Gate)...)
	p := pager.New("help", append(blocks, signBlocks(r.cfg.Gate)...))
	p.Toggle = []string{"?", "f1"}
	r.Push(p)
}

func commandBlocks(gate *safe.Gate) []kit.Block {
	var b strings.Builder
	for _, c := range commandTable() {
		fmt.Fprintf(&b, "%-*s %s\n", kit.LabelCells, c.name+" "+c.takes, c.help)
	}
	return kit.Listed(gate, "commands, typed after :", b.String())
}

// signBlocks explains the marks and badges on the screen.
func signBlocks(gate *safe.Gate) []kit.Block {
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
		fmt.Fprintf(&marks, "%-*s %s\n", kit.LabelCells, m[0], m[1])
	}
	for _, bd := range model.AllBadges() {
		fmt.Fprintf(&badges, "‹%s›\n    %s\n", bd, bd.Help())
	}
	return append(kit.Listed(gate, "marks", marks.String()), kit.Listed(gate, "badges", badges.String())...)
}
