package inspector

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/curate"
	"agentlens/internal/curate/settings"
	"agentlens/internal/export"
	"agentlens/internal/ui/job"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/screens/compare"
)

// This file is what the linear mode does with a chain, and how a run leaves it. Work
// that the screen gives to the background is waited for here.

// told says what an action of the screen would say in its last line.
func (l *linear) told() {
	if l.note != "" {
		l.Say("%s%s", l.note, l.noteText)
	}
}

// wait runs the job of a command to its end, and says what the screen would note.
func (l *linear) wait(cmd tea.Cmd) {
	if cmd != nil {
		switch msg := cmd().(type) {
		case job.Crashed:
			l.Say("this failed: %s", l.cfg.Gate.Line(kit.OneLine(msg.Err.Error())))
			return
		case job.Answer:
			l.jobs.Take(msg)
		}
	}
	l.told()
}

// half goes to the first call whose context passes half the window.
func (l *linear) half(string) {
	n, says := l.firstPastHalf()
	l.Say("%s", says)
	if n > 0 {
		l.call = n
		l.again()
	}
}

// fit looks for a chain that fits a size, and tries it.
func (l *linear) fit(arg string) {
	f, ok := l.fitOf(arg)
	if ok {
		if f.Find(l.ctx); f.err == nil {
			l.Say("%s: %s so", f.says, f.left())
			l.try(f.chain.String())
			return
		}
		l.noFit(&f)
	}
	l.told()
}

// compare reads out what the record, the chains tried and the named ones come to.
func (l *linear) compare(string) {
	if why := l.noCompare(); why != "" {
		l.Say("%s", why)
		return
	}
	l.tried.add(l.chain.text)
	v := l.newCompare()
	all := compare.CompareColumns()
	for score := v.Next(); score != nil; score = v.Next() {
		row := score(l.ctx)
		if v.Take(row); row.Err != nil {
			l.Say("these cannot be compared: %s", l.cfg.Gate.Line(kit.OneLine(row.Err.Error())))
			return
		}
		c := &row.Row
		if c.Why != "" {
			l.Say("%s", c.Title())
			continue
		}
		var figures []string
		for i := range all {
			figures = append(figures, strings.ToLower(string(all[i].Name))+" "+string(c.Cell(&all[i])))
		}
		l.Say("%s: %s", c.Title(), strings.Join(figures, ", "))
	}
}

// export writes the run to a file named by the person, or what the call was sent where
// "view" stands before the name.
func (l *linear) export(arg string) {
	if why := l.noExport(); why != "" {
		l.Say("%s", why)
		return
	}
	parcels := l.parcels()
	parcel := parcels[0]
	if path, view := strings.CutPrefix(arg, "view "); view && len(parcels) > 1 {
		parcel, arg = parcels[1], strings.TrimSpace(path)
	}
	formats := export.FormatOf(arg, parcel.work.View != nil)
	if len(formats) == 0 {
		l.Say("export takes the name of a new file that ends in %s; export view FILE is what this call was sent", strings.Join(endings(), ", "))
		return
	}
	l.wait(l.inspector.export(parcel.work, formats[0], arg))
}

// keepChain adds the chain to the settings.
func (l *linear) keepChain(arg string) {
	name := strings.TrimPrefix(arg, "@")
	if !l.triesChain() {
		return
	}
	if why := l.noKeep(); why != "" {
		l.Say("%s", why)
		return
	}
	if err := curate.CheckNewPreset(name); err != nil {
		l.Say("%s", err)
		return
	}
	l.wait(l.Keep(name))
}

// triesChain reports whether a chain is tried, and says how where none is.
func (l *linear) triesChain() bool {
	if l.chain.text == "" {
		l.Say("no chain is tried: strategy CHAIN tries one")
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
		l.Say("%s", l.cfg.Gate.Line(err.Error()))
		return
	}
	for _, what := range lost {
		l.Say("lost: %s", l.cfg.Gate.Line(what))
	}
	l.Safe(l.cfg.Gate.Text(strings.TrimRight(text, "\n")))
}
