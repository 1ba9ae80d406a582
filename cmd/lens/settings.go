package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"agentlens/internal/config"
	"agentlens/internal/curate"
	"agentlens/internal/curate/models"
	"agentlens/internal/redact"
	"agentlens/internal/ui"
)

// settings are those of the file and the environment, read once; what is odd about
// them is said once on stderr.
func (a *app) settings() (*config.Settings, error) {
	if a.own != nil {
		return a.own, nil
	}
	s, err := config.Read(os.Getenv)
	var fault config.Fault
	if err != nil && !errors.As(err, &fault) {
		err = usageError{err.Error()}
	}
	if err != nil {
		return nil, err
	}
	for _, w := range s.Warnings {
		fmt.Fprintf(a.err, "lens: warning: settings: %s\n", clean(w.Error()))
	}
	a.own = s
	return s, nil
}

// redaction is the level of --level, else of the settings, else the fallback. A
// setting does not make strict what must be strict any weaker: only --level does.
func (a *app) redaction(fallback redact.Level) (redact.Level, error) {
	if a.level != "" {
		level, err := redact.ParseLevel(a.level)
		if err != nil {
			err = usageError{"--level: " + err.Error()}
		}
		return level, err
	}
	s, err := a.settings()
	if err != nil || s.Level.Value == "" {
		return fallback, err
	}
	level, err := redact.ParseLevel(s.Level.Value)
	if fallback == redact.Strict {
		level = max(level, fallback)
	}
	return level, err
}

// theme is that of --theme, else of the settings.
func (a *app) theme(flag string) (string, error) {
	s, err := a.settings()
	if err != nil {
		return "", err
	}
	name := cmp.Or(flag, s.Theme.Value, "auto")
	if !slices.Contains(ui.Themes(), name) {
		return "", usageError{fmt.Sprintf("there is no theme %q: want one of %s", name, strings.Join(ui.Themes(), ", "))}
	}
	return name, nil
}

// parse reads a chain, with the user's presets.
func (a *app) parse(chain string) (curate.Chain, error) {
	s, err := a.settings()
	if err != nil {
		return nil, err
	}
	return curate.ParseWith(chain, s.OwnPresets())
}

// models is the table of models with what the settings say.
func (a *app) models() (*models.Table, error) {
	if a.table != nil {
		return a.table, nil
	}
	s, err := a.settings()
	if err == nil {
		a.table, err = models.New(s.OwnModels()...)
	}
	return a.table, err
}

// windowOf is the context window of a model in tokens: that of --window, else of
// the settings and the table; 0 when unknown.
func (a *app) windowOf(modelName string) (int64, error) {
	if a.window != "" {
		n, ok := config.Tokens(a.window)
		if !ok || n == 0 {
			return 0, usageError{fmt.Sprintf("--window %s: want a number of tokens such as 200000 or 200k", a.window)}
		}
		return n, nil
	}
	t, err := a.models()
	if err != nil {
		return 0, err
	}
	return t.Window(modelName), nil
}
