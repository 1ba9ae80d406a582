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
		p := PickerOf(t, 300)
		Pressed(p, keys...)
		return p
	}
	for _, a := range fresh().Screen().Tables[0].Rows {
		for _, k := range a.Keys {
			for _, p := range []*Picker{fresh("l", "down"), fresh("pgdown", "up"), fresh()} {
				before := Pressed(p)
				_, cmd := p.Update(uitest.Key(k))
				if Pressed(p) != before || cmd != nil {
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
	if screen := Pressed(p, "?"); !strings.Contains(screen, "in the list of runs") || !strings.Contains(screen, "ctrl-t") {
		t.Errorf("wrong help:\n%s", screen)
	}
	if screen := Pressed(p, "q"); !strings.Contains(screen, "300 runs") {
		t.Errorf("q does not close the help:\n%s", screen)
	}
	if screen := Pressed(p, "a", "?"); !strings.Contains(screen, "> a?") {
		t.Errorf("? is not typed:\n%s", screen)
	}
	if _, cmd := p.Update(uitest.Key("ctrl+c")); cmd == nil {
		t.Error("ctrl-c does not quit")
	} else if _, ok := cmd().(tea.InterruptMsg); !ok {
		t.Errorf("ctrl-c returns %T", cmd())
	}
}

func TestPickerMouse(t *testing.T) {
	p := PickerOf(t, 300)
	at := func(x, y int, b tea.MouseButton) string {
		p.Update(tea.MouseMsg{X: x, Y: y, Button: b, Action: tea.MouseActionPress})
		return uitest.Plain(p.View())
	}
	if line := CursorLine(at(30, ListTop+2, tea.MouseButtonLeft)); !strings.Contains(line, "Task 2") || p.Chosen >= 0 {
		t.Errorf("a click selects %q and chooses %d", line, p.Chosen)
	}
	if at(30, ListTop+2, tea.MouseButtonLeft); p.Chosen != 2 {
		t.Errorf("a double click opens %d", p.Chosen)
	}
	if line := CursorLine(at(1, 5, tea.MouseButtonWheelDown)); !strings.Contains(line, "Task 5") {
		t.Errorf("the wheel scrolls to %q", line)
	}
	for _, name := range []string{"msgs", "tokens", "cost", "title"} {
		names := strings.Split(uitest.Plain(p.View()), "\n")[ListTop-1]
		by := map[string]string{"msgs": "by messages"}[name]
		if by == "" {
			by = "by " + name
		}
		if screen := at(strings.Index(names, name), ListTop-1, tea.MouseButtonLeft); !strings.Contains(screen, by) {
			t.Errorf("a click on %s:\n%s", name, screen)
		}
	}
	if screen := at(4, ListTop-1, tea.MouseButtonLeft); strings.Contains(screen, "title   by") {
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
			p := PickerOf(t, 30)
			p.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			uitest.Golden(t, name, Pressed(p, "down")+"\n")
		})
	}
	empty := PickerOf(t, 0)
	empty.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	uitest.Golden(t, "picker-empty-80x24.txt", Pressed(empty)+"\n")
}
