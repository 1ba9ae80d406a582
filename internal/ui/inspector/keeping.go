package inspector

import (
	"context"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/curate"
	"agentlens/internal/curate/settings"
	"agentlens/internal/safe"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/screens/chooser"
	"agentlens/internal/ui/screens/pager"
)

// This file copies the chain as a setting of another program and saves it as a preset.

// chooseSetting lists the programs for which the chain can be written as a setting.
func (r *inspector) chooseSetting() {
	chain, err := curate.Parse(r.chain.Tried())
	if err != nil {
		return // cannot fail: the chain was parsed before
	}
	about := map[string]string{}
	for _, d := range settings.Dialects() {
		about[d.Name] = d.About
	}
	var list []chooser.Choice
	add := func(name kit.Words, dialect string) {
		ch := chooser.Choice{Name: name, Help: r.Gated(about[dialect])}
		setting, lost, err := settings.Write(dialect, chain)
		switch {
		case err != nil:
			ch.Why = noEquivalent
		case len(lost) > 0:
			ch.Help = "loses " + kit.Plural(len(lost), "thing") + " · " + ch.Help
		}
		ch.Run = func() tea.Cmd { return r.copySetting(name, setting, lost) }
		list = append(list, ch)
	}
	add("chain", "chain")
	for _, dialect := range settings.Writable() {
		if dialect != "chain" {
			add(r.Gated(dialect), dialect)
		}
	}
	r.Push(chooser.New(copyChainTitle, " as ", list))
}

// copySetting copies a setting. If the setting cannot express parts of the chain, it lists those
// first.
func (r *inspector) copySetting(name kit.Words, setting string, lost []string) tea.Cmd {
	gate := r.cfg.Gate
	if name != "chain" {
		var blocks []kit.Block
		for _, what := range lost {
			blocks = append(blocks, kit.Block{Kind: kit.HeadBlock, Note: "lost"}, kit.Block{Text: gate.Text(what)})
		}
		blocks = append(blocks, kit.Block{Kind: kit.HeadBlock, Note: theSetting}, kit.Block{Text: gate.Text(setting)})
		r.Push(pager.New(copiedAs+name, blocks))
	}
	what := kit.Words(theChain)
	if name != "chain" {
		what += asSettingOf + name
	}
	return r.copyText(what, func() (safe.Safe, error) { return gate.Text(strings.TrimRight(setting, "\n")), nil })
}

func (r *inspector) noKeep() kit.Words {
	if why := r.NoKeep(); why != "" {
		return why
	}
	return r.noChain()
}

// askKeep asks for the name of a preset for the chain.
func (r *inspector) askKeep() {
	c := chooser.New(keepTitle, " @", nil)
	c.Idle = keepIdle
	c.Typed = func(line string) []chooser.Choice {
		name := strings.TrimPrefix(strings.TrimSpace(line), "@")
		if name == "" {
			return nil
		}
		ch := chooser.Choice{Safe: r.cfg.Gate.Line("@" + name), Help: kit.Gated(r.cfg.Gate)(r.chain.Tried()), Run: func() tea.Cmd { return r.keep(name) }}
		if err := curate.CheckNewPreset(name); err != nil {
			ch.Why = kit.Gated(r.cfg.Gate)(err.Error())
		}
		return []chooser.Choice{ch}
	}
	r.Push(c)
}

// keep saves the chain in the user's settings, in a job.
func (r *inspector) keep(name string) tea.Cmd {
	chain, add := r.chain.Tried(), r.cfg.Keep
	if why := r.noKeep(); why != "" {
		r.note = why
		return nil
	}
	return r.jobs.Join(writeJob, func(context.Context) func() tea.Cmd {
		path, err := add(name, chain)
		return func() tea.Cmd {
			r.Say(r.Kept(name, chain, path, err))
			if err == nil {
				r.chain.AddPreset(curate.Preset{Name: "@" + name, Chain: chain, Whose: yourSettings})
			}
			return nil
		}
	})
}
