package inspector

import (
	"cmp"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/highlight"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/screens/chooser"
)

// themesTyped returns the themes that a typed line may mean, the current one first. The cursor shows each.
// It returns nil if the line is not about themes.
func (r *inspector) themesTyped(line string) []chooser.Choice {
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, " :"), "theme ")
	if !ok {
		return nil
	}
	var list []chooser.Choice
	for _, c := range kit.ThemeChoices(r.cfg.Palette) {
		if !strings.HasPrefix(c.Name, strings.TrimSpace(rest)) {
			continue
		}
		at := len(list)
		if c.Name == r.themeNow() {
			at = 0
		}
		list = slices.Insert(list, at, chooser.Choice{
			Name: r.Gated("theme " + c.Name), Help: c.Help,
			Look: kit.Do(func() { r.lookAt(c.Name) }),
			Run:  func() tea.Cmd { return r.typedTheme(c.Name) },
		})
	}
	return list
}

// themeNow returns the name of the theme, disregarding a preview.
func (r *inspector) themeNow() string {
	return cmp.Or(r.theme, r.cfg.Theme, "auto")
}

// lookAt shows a theme until endPreview.
func (r *inspector) lookAt(name string) {
	if r.before == nil {
		th := *r.th
		r.before = &th
	}
	r.wear(name)
}

// endPreview shows the theme that was in use before lookAt.
func (r *inspector) endPreview() {
	if r.before != nil {
		*r.th, r.before = *r.before, nil
		r.timeline.Repaint()
	}
}

// typedTheme changes the theme until lens quits.
func (r *inspector) typedTheme(arg string) tea.Cmd {
	r.endPreview()
	if !r.wear(arg) {
		all := kit.Themes()
		if r.cfg.Palette != nil {
			all = append(all, kit.OwnTheme)
		}
		r.note = "there is no theme " + r.Gated(arg) + ": " + r.Gated(strings.Join(all, ", "))
		return nil
	}
	r.theme = arg
	switch {
	case arg != "none" && arg != "auto" && r.initial.Depth == kit.NoColour:
		r.note = "this terminal has no colours, or NO_COLOR is set"
	case arg != cmp.Or(r.cfg.Theme, "auto"):
		r.note = "theme " + r.Gated(arg) + " until lens quits · theme = \"" + r.Gated(arg) + "\" in the settings keeps it (lens config)"
	}
	return nil
}

// wear shows the screen in a theme. It returns false for an unknown name.
func (r *inspector) wear(name string) bool {
	if !slices.ContainsFunc(kit.ThemeChoices(r.cfg.Palette), func(c kit.ThemeChoice) bool { return c.Name == name }) {
		return false
	}
	if r.initial == nil {
		th := *r.th
		r.initial = &th
	}
	next := *r.initial
	if name != "auto" {
		next = *kit.ThemeNamed(name, r.initial.Light, r.initial.Depth, r.cfg.Palette)
	}
	*r.th = next // the panes share it
	r.timeline.Repaint()
	if next.Coloured && r.colours.Hl == nil { // reload the texts to colour them
		r.colours.Hl = highlight.New()
		r.store.Clear()
	}
	return true
}
