// Package bg sets the background of lipgloss to dark before Bubble Tea v1 can ask
// the terminal for it.
//
// Bubble Tea v1 asks for the background colour when its package is initialised,
// even in commands without a screen. It waits up to five seconds for an answer. Go
// initialises packages in the order of their import paths once their imports are
// ready. This package imports only lipgloss and sorts before
// github.com/charmbracelet/bubbletea, so it is initialised first. It must never
// import anything else. Package term asks for the real background later.
package bg

import "github.com/charmbracelet/lipgloss"

func init() { lipgloss.SetHasDarkBackground(true) }
