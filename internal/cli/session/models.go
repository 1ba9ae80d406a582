package session

import (
	"sync"

	"agentlens/internal/cli/failure"
	"agentlens/internal/config"
	"agentlens/internal/curate"
	"agentlens/internal/curate/models"
)

// Models is the table of models with what the settings say.
func (s *Session) Models() (*models.Table, error) {
	if s.table != nil {
		return s.table, nil
	}
	own, err := s.Settings()
	if err == nil {
		s.table, err = models.New(own.OwnModels()...)
	}
	return s.table, err
}

// ScreenModels gives the context windows and the prices of models for as long as a screen is
// open. The table of models is made ready while that opens.
func (s *Session) ScreenModels() (windows curate.Windows, prices func(modelName string) models.Prices, err error) {
	own, err := s.Settings()
	if err != nil {
		return windows, nil, err
	}
	if windows.Said, err = s.flagWindow(); err != nil {
		return windows, nil, err
	}
	table := sync.OnceValue(func() *models.Table {
		t, err := models.New(own.OwnModels()...)
		if err != nil { // a broken build: nothing is known
			return &models.Table{}
		}
		return t
	})
	go table()
	windows.Of = func(modelName string) int64 { return table().Window(modelName) }
	return windows, func(modelName string) models.Prices { return table().Find(modelName).Prices }, nil
}

// Windows are the context windows of models: that of --window, else of the record,
// the settings and the table.
func (s *Session) Windows() (w curate.Windows, err error) {
	if w.Said, err = s.flagWindow(); err != nil {
		return w, err
	}
	t, err := s.Models()
	if err != nil {
		return w, err
	}
	w.Of = t.Window
	return w, nil
}

// flagWindow is the size of --window in tokens, 0 where it is not given.
func (s *Session) flagWindow() (int64, error) {
	if s.Window == "" {
		return 0, nil
	}
	n, ok := config.Tokens(s.Window)
	if !ok || n == 0 {
		return 0, failure.Usagef(invalidWindow, s.Window)
	}
	return n, nil
}
