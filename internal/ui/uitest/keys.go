package uitest

import tea "github.com/charmbracelet/bubbletea"

// Named maps the names of keys in key tables to their types.
var Named = map[string]tea.KeyType{
	"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "shift+tab": tea.KeyShiftTab, "space": tea.KeySpace,
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
	"home": tea.KeyHome, "end": tea.KeyEnd, "backspace": tea.KeyBackspace, "ctrl+c": tea.KeyCtrlC, "ctrl+d": tea.KeyCtrlD,
	"ctrl+u": tea.KeyCtrlU, "ctrl+w": tea.KeyCtrlW, "ctrl+o": tea.KeyCtrlO, "ctrl+n": tea.KeyCtrlN, "ctrl+z": tea.KeyCtrlZ,
	"ctrl+r": tea.KeyCtrlR, "ctrl+t": tea.KeyCtrlT, "ctrl+y": tea.KeyCtrlY, "ctrl+b": tea.KeyCtrlB, "ctrl+f": tea.KeyCtrlF, "ctrl+j": tea.KeyCtrlJ, "ctrl+k": tea.KeyCtrlK, "ctrl+l": tea.KeyCtrlL, "ctrl+p": tea.KeyCtrlP,
	"shift+left": tea.KeyShiftLeft, "shift+right": tea.KeyShiftRight, "delete": tea.KeyDelete, "f1": tea.KeyF1, "shift+down": tea.KeyShiftDown, "shift+up": tea.KeyShiftUp,
}

// Key returns the press of a named key, or of a single character.
func Key(name string) tea.KeyMsg {
	switch kt, ok := Named[name]; {
	case kt == tea.KeySpace && ok:
		return tea.KeyMsg{Type: kt, Runes: []rune{' '}}
	case ok:
		return tea.KeyMsg{Type: kt}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}
