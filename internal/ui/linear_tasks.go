package ui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/curate"
	"agentlens/internal/curate/settings"
	"agentlens/internal/export"
)

// This file is what the linear mode does with a chain, and how a run leaves it. Work
// that the screen gives to the background is waited for here.

// told says what an action of the screen would say in its last line.
func (l *linear) told() {
	if l.note != "" {
		l.say("%s%s", l.note, l.noteText)
	}
}

// wait does a command and hands its answer to take. A command that is none said why.
func (l *linear) wait(cmd tea.Cmd, take func(tea.Msg)) {
	if cmd == nil {
		l.told()
		return
	}
	msg := cmd()
	if crash, ok := msg.(crashMsg); ok {
		l.say("this failed: %s", l.cfg.Gate.Line(oneLine(crash.err.Error())))
		return
	}
	take(msg)
}

// half goes to the first call whose context passes half the window.
func (l *linear) half(string) {
	n, says := l.firstPastHalf()
	l.say("%s", says)
	if n > 0 {
		l.call = n
		l.again()
	}
}

// fit looks for a chain that fits a size, and tries it.
func (l *linear) fit(arg string) {
	l.wait(l.typedFit(arg), func(msg tea.Msg) {
		fit := msg.(fitMsg)
		if fit.err != nil {
			fit.arrive(l.root)
			l.told()
			return
		}
		l.say("%s: %s so", fit.says, about(fit.view.Curated.Tokens+fit.shown.rest, false))
		l.try(fit.chain.String())
	})
}

// compare reads out what the record, the chains tried and the named ones come to.
func (l *linear) compare(string) {
	if why := l.noCompare(); why != "" {
		l.say("%s", why)
		return
	}
	l.tried.add(l.chain.text)
	v := l.newCompare()
	all := compareColumns()
	for cmd := v.next(l.ctx); cmd != nil; cmd = v.next(l.ctx) {
		l.wait(cmd, func(msg tea.Msg) {
			compared := msg.(comparedMsg)
			if v.take(compared); compared.err != nil {
				l.say("these cannot be compared: %s", l.cfg.Gate.Line(oneLine(compared.err.Error())))
				return
			}
			c := &compared.row
			if c.why != "" {
				l.say("%s", c.title())
				return
			}
			var figures []string
			for i := range all {
				figures = append(figures, strings.ToLower(string(all[i].name))+" "+string(c.cell(&all[i])))
			}
			l.say("%s: %s", c.title(), strings.Join(figures, ", "))
		})
		if v.failed {
			return
		}
	}
}

// export writes the run to a file named by the person, or what the call was sent where
// "view" stands before the name.
func (l *linear) export(arg string) {
	if why := l.noExport(); why != "" {
		l.say("%s", why)
		return
	}
	parcels := l.parcels()
	parcel := parcels[0]
	if path, view := strings.CutPrefix(arg, "view "); view && len(parcels) > 1 {
		parcel, arg = parcels[1], strings.TrimSpace(path)
	}
	formats := export.FormatOf(arg, parcel.work.View != nil)
	if len(formats) == 0 {
		l.say("export takes the name of a new file that ends in %s; export view FILE is what this call was sent", strings.Join(endings(), ", "))
		return
	}
	l.wait(l.root.export(parcel.work, formats[0], arg), func(msg tea.Msg) {
		msg.(exportedMsg).arrive(l.root)
		l.told()
	})
}

// keepChain adds the chain to the settings.
func (l *linear) keepChain(arg string) {
	name := strings.TrimPrefix(arg, "@")
	if !l.triesChain() {
		return
	}
	if why := l.noKeep(); why != "" {
		l.say("%s", why)
		return
	}
	if err := curate.CheckNewPreset(name); err != nil {
		l.say("%s", err)
		return
	}
	l.wait(l.keep(name), func(msg tea.Msg) {
		msg.(keptMsg).arrive(l.root)
		l.told()
	})
}

// triesChain reports whether a chain is tried, and says how where none is.
func (l *linear) triesChain() bool {
	if l.chain.text == "" {
		l.say("no chain is tried: strategy CHAIN tries one")
	}
	return l.chain.text != ""
}

// setting reads the chain as the setting of another program.
func (l *linear) setting(arg string) {
	if !l.triesChain() {
		return
	}
	chain, err := curate.Parse(l.chain.text)
	if err != nil {
		return // it was parsed before
	}
	text, lost, err := settings.Write(arg, chain)
	if err != nil {
		l.say("%s", l.cfg.Gate.Line(err.Error()))
		return
	}
	for _, what := range lost {
		l.say("lost: %s", l.cfg.Gate.Line(what))
	}
	l.safe(l.cfg.Gate.Text(strings.TrimRight(text, "\n")))
}
