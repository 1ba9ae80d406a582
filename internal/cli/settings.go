package cli

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"agentlens/internal/config"
	"agentlens/internal/curate"
	"agentlens/internal/curate/models"
	"agentlens/internal/redact"
	"agentlens/internal/ui/kit"
)

// settings are those of the file and the environment, read once; what is odd about
// them is said once on stderr.
func (a *app) settings() (*config.Settings, error) {
	if a.own != nil {
		return a.own, nil
	}
	s, err := config.Read(os.Getenv)
	if err == nil {
		err = checkTheme(s)
	}
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

// theme is that of --theme, else of the settings, and the colours of the user's own.
func (a *app) theme(flag string) (string, *kit.Palette, error) {
	s, err := a.settings()
	if err != nil {
		return "", nil, err
	}
	if all := themes(s); flag != "" && !slices.Contains(all, flag) {
		return "", nil, usageError{fmt.Sprintf("there is no theme %q: want one of %s", flag, strings.Join(all, ", "))}
	}
	var own *kit.Palette
	if c := s.Colours; c != nil {
		own = &kit.Palette{Base: c.Base.Value, Colours: c.Of}
	}
	return cmp.Or(flag, s.Theme.Value, "auto"), own, nil
}

// themes are the names of all themes there are.
func themes(s *config.Settings) []string {
	if s.Colours == nil {
		return kit.Themes()
	}
	return append(kit.Themes(), kit.OwnTheme)
}

// checkTheme holds what the settings say of themes to those there are.
func checkTheme(s *config.Settings) error {
	wrong := func(at config.Setting, format string, a ...any) error {
		if at.Line == 0 && at.From != "" { // a variable
			return fmt.Errorf(at.From+": "+format, a...)
		}
		return config.Fault{Path: s.Path, Line: at.Line, Message: fmt.Sprintf(format, a...)}
	}
	if all := themes(s); s.Theme.Value != "" && !slices.Contains(all, s.Theme.Value) {
		return wrong(s.Theme, "there is no theme %q: want one of %s", s.Theme.Value, strings.Join(all, ", "))
	}
	c := s.Colours
	if c == nil {
		return nil
	}
	if base := c.Base; base.Value != "" && (base.Value == "none" || !slices.Contains(kit.Themes(), base.Value)) {
		return wrong(base, "theme.base: there is no theme %q with colours: want auto, dark, light or high-contrast", base.Value)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Of)) {
		if !slices.Contains(kit.Parts(), name) {
			return wrong(config.Setting{Line: c.Line[name]}, "theme.%s: the screen has no such part; there are %s", name, strings.Join(kit.Parts(), ", "))
		}
	}
	return nil
}

// parse reads a chain, with the user's presets.
func (a *app) parse(chain string) (curate.Chain, error) {
	s, err := a.settings()
	if err != nil {
		return nil, err
	}
	return curate.ParseWith(chain, s.OwnPresets())
}

// keepPreset adds a chain to the settings file.
func (a *app) keepPreset(name, chain string) (path string, err error) {
	s, err := a.settings()
	if err != nil {
		return "", err
	}
	return s.Path, config.AddPreset(s.Path, name, chain)
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

// facts gives the context windows and the prices of models for as long as a screen is
// open. The table of models is made ready while that opens.
func (a *app) facts() (windows curate.Windows, prices func(modelName string) models.Prices, err error) {
	own, err := a.settings()
	if err != nil {
		return windows, nil, err
	}
	if windows.Said, err = a.saidWindow(); err != nil {
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

// windows are the context windows of models: that of --window, else of the record,
// the settings and the table.
func (a *app) windows() (w curate.Windows, err error) {
	if w.Said, err = a.saidWindow(); err != nil {
		return w, err
	}
	t, err := a.models()
	if err != nil {
		return w, err
	}
	w.Of = t.Window
	return w, nil
}

// saidWindow is the size of --window in tokens, 0 where it is not given.
func (a *app) saidWindow() (int64, error) {
	if a.window == "" {
		return 0, nil
	}
	n, ok := config.Tokens(a.window)
	if !ok || n == 0 {
		return 0, usageError{fmt.Sprintf("--window %s: want a number of tokens such as 200000 or 200k", a.window)}
	}
	return n, nil
}
