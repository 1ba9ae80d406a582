//go:build !unix

package term

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"
)

// filter passes every message: this system stops no programs.
func (s *stops) filter(_ tea.Model, msg tea.Msg) tea.Msg { return msg }

// watch does nothing: this system has none of these signals.
func (s *stops) watch(context.Context, *tea.Program) {}
