// Command minimal is a minimal Bubble Tea program: a screen of numbers that scrolls.
// Tests compare the latency of the inspector with it.
package main

import (
	"fmt"
	"os"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

type screen struct{ w, h, at int }

func (s screen) Init() tea.Cmd { return nil }

func (s screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.w, s.h = msg.Width, msg.Height
	case tea.KeyMsg:
		switch msg.String() {
		case "j":
			s.at++
		case "k":
			s.at--
		case "q":
			return s, tea.Quit
		}
	}
	return s, nil
}

func (s screen) View() string {
	lines := make([]string, s.h)
	for y := range lines {
		lines[y] = fmt.Sprintf("%*d", max(s.w, 1), s.at+y)
	}
	return strings.Join(lines, "\n")
}

func main() {
	if _, err := tea.NewProgram(screen{}, tea.WithAltScreen()).Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
