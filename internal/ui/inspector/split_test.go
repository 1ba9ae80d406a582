package inspector

import (
	"errors"
	"slices"
	"testing"
)

// The choice of the message panes is saved, and a run begins with it. A choice that the automatic layout makes as
// well is automatic.
func TestSplitIsKept(t *testing.T) {
	var kept []string
	keep := func(c *Config) {
		c.KeepPanes = func(panes string) (string, error) {
			kept = append(kept, panes)
			return "/home/me/.config/lens/config.toml", nil
		}
	}
	d := open(t, 120, 36, withDemo, keep)
	d.Press("|").Shows("panes: both in /home/me/.config/lens/config.toml", "end of the prompt")
	d.Press("|").Shows("panes: auto in /home/me/").Lacks("end of the prompt")
	d.Press("|", "tab", "|").Shows("panes: sent in").Lacks("full history")
	d.Press("|").Shows("panes: both in", "full history")
	d.Press("shift+tab", "|").Shows("panes: auto in")
	if want := []string{"both", "auto", "both", "sent", "both", "auto"}; !slices.Equal(kept, want) {
		t.Errorf("kept %q, want %q", kept, want)
	}
	begins := func(panes string) func(*Config) { return func(c *Config) { c.Panes = panes } }
	open(t, 120, 36, withDemo, begins("both")).Shows("end of the prompt")
	open(t, 90, 36, withDemo, begins("both")).Shows("end of the prompt")
	open(t, 120, 36, withDemo, begins("sent")).Lacks("full history")
	open(t, 120, 36, withDemo, begins("")).Shows("full history").Lacks("end of the prompt")
	open(t, 120, 36, withDemo, func(c *Config) {
		c.KeepPanes = func(string) (string, error) { return "", errors.New("config.toml: it may not be written to") }
	}).Press("|").Shows("the panes hold until lens quits, not saved: config.toml: it may not be written to", "end of the prompt")
}

// The last choice is saved even if lens ends before a job runs.
func TestSplitIsKeptAtTheEnd(t *testing.T) {
	d := open(t, 120, 36, withDemo)
	var kept string
	d.r.cfg.KeepPanes = func(panes string) (string, error) { kept = panes; return "", nil }
	d.r.toggleSplit()
	d.r.writing.Close()
	d.r.kept.Write(func(panes string) { d.r.cfg.KeepPanes(panes) })
	if kept != "both" {
		t.Errorf("kept %q", kept)
	}
}
