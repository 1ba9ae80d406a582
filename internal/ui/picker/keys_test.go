package picker

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/uitest"
)

func TestPickerKeys(t *testing.T) {
	fresh := func(keys ...string) *Picker {
		p := pickerOf(t, 300)
		pressed(p, keys...)
		return p
	}
	for _, a := range fresh().screen().Tables[0].Rows {
		for _, k := range a.Keys {
			for _, p := range []*Picker{fresh("l", "down"), fresh("pgdown", "up"), fresh()} {
				before := pressed(p)
				_, cmd := p.Update(uitest.Key(k))
				if pressed(p) != before || cmd != nil {
					before = ""
				}
				if before == "" {
					k = ""
					break
				}
			}
			if k != "" {
				t.Errorf("%s does nothing: %s", k, a.Help)
			}
		}
	}
	p := fresh()
	if screen := pressed(p, "?"); !strings.Contains(screen, "in the list of runs") || !strings.Contains(screen, "ctrl-t") {
		t.Errorf("wrong help:\n%s", screen)
	}
	if screen := pressed(p, "q"); !strings.Contains(screen, "300 runs") {
		t.Errorf("q does not close the help:\n%s", screen)
	}
	if screen := pressed(p, "a", "?"); !strings.Contains(screen, "> a?") {
		t.Errorf("? is not typed:\n%s", screen)
	}
	if _, cmd := p.Update(uitest.Key("ctrl+c")); cmd == nil {
		t.Error("ctrl-c does not quit")
	} else if _, ok := cmd().(tea.InterruptMsg); !ok {
		t.Errorf("ctrl-c returns %T", cmd())
	}
}

func TestPickerMouse(t *testing.T) {
	p := pickerOf(t, 300)
	at := func(x, y int, b tea.MouseButton) string {
		p.Update(tea.MouseMsg{X: x, Y: y, Button: b, Action: tea.MouseActionPress})
		return uitest.Plain(p.View())
	}
	if line := cursorLine(at(30, listTop+2, tea.MouseButtonLeft)); !strings.Contains(line, "Task 2") || p.Chosen >= 0 {
		t.Errorf("a click selects %q and chooses %d", line, p.Chosen)
	}
	if at(30, listTop+2, tea.MouseButtonLeft); p.Chosen != 2 {
		t.Errorf("a double click opens %d", p.Chosen)
	}
	if line := cursorLine(at(1, 5, tea.MouseButtonWheelDown)); !strings.Contains(line, "Task 5") {
		t.Errorf("the wheel scrolls to %q", line)
	}
	for _, name := range []string{"msgs", "tokens", "cost", "title"} {
		names := strings.Split(uitest.Plain(p.View()), "\n")[listTop-1]
		by := map[string]string{"msgs": "by messages"}[name]
		if by == "" {
			by = "by " + name
		}
		if screen := at(strings.Index(names, name), listTop-1, tea.MouseButtonLeft); !strings.Contains(screen, by) {
			t.Errorf("a click on %s:\n%s", name, screen)
		}
	}
	if screen := at(4, listTop-1, tea.MouseButtonLeft); strings.Contains(screen, "title   by") {
		t.Errorf("a click on when:\n%s", screen)
	}
	foot := strings.Split(uitest.Plain(p.View()), "\n")[23]
	if screen := at(strings.Index(foot, "? help")+3, 23, tea.MouseButtonLeft); !strings.Contains(screen, "in the list of runs") {
		t.Errorf("a click on help:\n%s", screen)
	}
}

func TestGoldenPicker(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 60}} {
		name := fmt.Sprintf("picker-%dx%d.txt", size[0], size[1])
		t.Run(name, func(t *testing.T) {
			p := pickerOf(t, 30)
			p.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			uitest.Golden(t, name, pressed(p, "down")+"\n")
		})
	}
	empty := pickerOf(t, 0)
	empty.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	uitest.Golden(t, "picker-empty-80x24.txt", pressed(empty)+"\n")
}
