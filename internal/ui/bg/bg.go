// Package bg tells lipgloss that the background is dark before Bubble Tea v1
// can ask the terminal.
//
// Bubble Tea v1 asks for the background colour when its package is initialised,
// before main, also in commands that draw no screen, and waits up to five
// seconds where nobody answers. Go initialises packages that are ready in the
// order of their import paths, so this package, which needs only lipgloss and
// sorts before github.com/charmbracelet/bubbletea, comes first. It must import
// nothing else. Whether the screen is light is asked later, by package term.
package bg

import "github.com/charmbracelet/lipgloss"

func init() { lipgloss.SetHasDarkBackground(true) }
