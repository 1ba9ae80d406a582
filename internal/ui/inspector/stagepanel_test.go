package inspector

import (
	"errors"
	"strings"
	"testing"

	"agentlens/internal/safe"
	"agentlens/internal/ui/uitest"
)

func TestStages(t *testing.T) {
	d := open(t, 120, 36, withChain(tryChain)).Press("S").Shows("stages", "▎1 ● truncate_tool_results", " 2 ● sliding_window  n=10", "each works at what the one before left")
	// the view forms anew at every step
	d.Press("down").Shows("▎2 ● sliding_window  n=‹10›").Press("+").Shows("n=‹11›", " chain  truncate_tool_results(1000) | sliding_window(11)").Press("-", "-", "-").Shows("n=‹8›", "simulated · 9 msgs")
	d.Press("u", "u", "u", "u").Shows("n=‹10›", "simulated · 10 msgs").Press("u").Shows("changes nothing").Press("U").Shows("n=‹11›")
	d.Press("space").Shows("▎2 ○ sliding_window", "off", "simulated · 34 msgs").Press("space").Shows("▎2 ●")
	d.Press("K").Shows("▎1 ● sliding_window", " 2 ● truncate_tool_results").Press("J")
	d.Press("right").Shows("align=‹drop›", "where the window cuts").Press("+").Shows("align=‹back›")
	d.Press("x").Shows(" chain  truncate_tool_results(1000)").Lacks("sliding_window")
	d.Press("enter").Lacks("each works at").Shows(" chain  truncate_tool_results(1000)", "simulated")
	// dropped, the chain before is back
	d.Press("S", "a").Shows("add a stage").Type("clear thinking").Press("enter").Shows(" 1 ● truncate_tool", "▎2 ● clear_thinking")
	d.Press("esc").Shows(" chain  truncate_tool_results(1000)").Lacks("clear_thinking")
}

func TestStagesFromNothing(t *testing.T) {
	d := open(t, 120, 36).Press("S").Shows("add a stage").Type("sliding").Press("enter").Shows("▎1 ● sliding_window  n=‹40›", "simulated")
	d.Press("p").Shows("a preset in place").Type("wink").Press("enter").Shows(" 2 ● sliding_window  n=50")
	x, y := d.At(" 2 ● ")
	d.Click(x+6, y).Shows("▎2 ● sliding_window")
	d.Press("]", "[").Shows("▎2 ●") // calls stay in reach
	d.Press("s").Shows("token").Press("esc").Shows(" chain  truncate_tool_results(1000) | sliding_window(50)")
	d = open(t, 120, 36).Press("@").Type("wink").Press("enter").Shows(" 2 ● sliding_window  n=50").Press("esc").Shows("as the record tells", "reconstructed")
	d.Press("S", "esc").Lacks("no stage: a adds one").Shows("as the record tells")
	d.Press("S", "enter", "x").Shows("no stage: a adds one").Press("x").Shows("no chain, or changes nothing").Press("a", "esc").Shows("no stage: a adds one").Press("enter").Shows("as the record tells")
	for _, size := range [][2]int{{60, 12}, {40, 9}, {200, 60}} {
		d.Resize(size[0], size[1]).Press("S").Type("compact").Press("enter", "+", "right", "+").Screen()
	}
}

// The parameter under the cursor is on the screen, however narrow that is.
func TestParameterStaysInSight(t *testing.T) {
	d := open(t, 70, 24, withChain("clear_tool_uses(100k)")).Press("S")
	for _, want := range []string{"trigger=‹", "keep=‹", "clear_at_least=‹", "exclude=‹", "inputs=‹", "placeholder=‹", "sticky=‹"} {
		d.Shows(want).Press("right")
	}
}

func TestRecordedAgainstSimulated(t *testing.T) {
	d := open(t, 120, 36, withChain(tryChain)).Shows("simulated · 10 msgs").Press("v").Shows("reconstructed · 23 msgs", "set aside")
	d.Press("v").Shows("simulated · 10 msgs").Lacks("set aside")
	open(t, 120, 36).Press("v").Shows("no chain is tried")
}

func TestYank(t *testing.T) {
	var saved string
	d := open(t, 220, 36, withChain(tryChain), func(c *Config) {
		c.Save = func(text safe.Safe) (string, error) { saved = text.String(); return "/tmp/lens-1.txt", nil }
	})
	d.Press("w").Shows("nothing was copied yet").Press("Y", "enter").Shows("B of the chain went to the clipboard").Press("w").Shows("the chain, copied before, written to /tmp/lens-1.txt")
	if saved != tryChain {
		t.Errorf("copied %q", saved)
	}
	// a secret that is revealed on the screen is masked in a copy
	d.Press("R", ":").Type("9").Press("enter", "+").Shows(uitest.Secret()).Press("y").Shows("of message 9").Press("w")
	if strings.Contains(saved, uitest.Secret()) || !strings.Contains(saved, "[REDACTED:") || !strings.Contains(saved, "田中さん") {
		t.Errorf("copied %q", saved)
	}
	d.Press(":").Type("10").Press("enter", "y", "w")
	if !strings.Contains(saved, "→ book_room") || !strings.Contains(saved, `"nights": 2`) {
		t.Errorf("copied %q", saved)
	}
	d.r.cfg.Save = func(safe.Safe) (string, error) { return "", errors.New("disk full") }
	d.Press("w").Shows("not written: disk full")
}

func TestClipboardSequence(t *testing.T) {
	if got := clipboardSequence("a\x1bb", false); got != "\x1b]52;c;YRti\x07" {
		t.Errorf("%q", got)
	}
	if got := clipboardSequence("x", true); got != "\x1b]52;c;eA==\x07\x1bPtmux;\x1b\x1b]52;c;eA==\x07\x1b\\" {
		t.Errorf("in tmux: %q", got)
	}
}

func TestSuspend(t *testing.T) {
	if d := open(t, 80, 24).Press("ctrl+z"); !d.suspended {
		t.Error("ctrl-z does not suspend")
	}
}
