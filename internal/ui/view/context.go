package view

import (
	"agentlens/internal/curate"
	"agentlens/internal/model"
	"agentlens/internal/ui/kit"
)

// A Portion is one part of a prompt.
type Portion struct {
	Name   kit.Words
	Tokens int64
	Sign   kit.Words // one cell, always the same for a part, so that parts differ without colours
	Style  kit.Style
}

// A Filling is the context of a call: its size and its parts, which add up to the size.
type Filling struct {
	Used    int64 // tokens of the prompt
	Counted bool  // the provider counted Used
	// Before is the size of the previous prompt of the thread, or -1 if there is none.
	Before   int64
	Recorded int64 // size of the prompt without the chain
	Portions []Portion
}

// fallen is the share of the previous prompt below which a prompt counts as clearly smaller.
const fallen = 0.95

// Fell reports whether the prompt is clearly smaller than the previous one.
func (f *Filling) Fell() bool { return f.Before > 0 && float64(f.Used) < fallen*float64(f.Before) }

// ContextAt returns the size of the context of a call in tokens. counted reports whether the provider
// counted it, see [curate.Replayed.Context]. If the record does not say what was sent, the size is
// that of the full history in the form in which it would be sent.
func ContextAt(of *curate.Replayed, sizes *curate.Sizes, call int) (tokens int64, counted bool) {
	if c, known := of.Context(call); known {
		return c.Tokens, c.Counted
	}
	return of.Full(call).Tokens + sizes.BesideAt(call), false
}

// The parts of a prompt besides the system prompt and the tools, in the order of the bar.
const (
	summaryPart = iota
	systemPart
	userPart
	agentPart
	toolPart
	injectedPart
	parts
)

var partNames = [parts]kit.Words{"summary", "system", "user", "agent", "tools", "injected"}

// partSigns fill the bar: shades for the parts that are large in most prompts, lower bars for the others.
var partSigns = [parts]kit.Words{"▃", "▇", "▅", "▓", "▒", "▂"}

// headSign fills the bar for the system prompt and the tools.
const headSign = "█"

var partStyles = [parts]kit.Style{kit.Added, kit.RoleSystem, kit.RoleUser, kit.RoleAssistant, kit.RoleTool, kit.Injected}

// partOf returns the part to which an entry belongs.
func (s *Aligned) partOf(e *model.Entry) int {
	var badges model.Badges
	switch {
	case e.Index >= 0:
		badges = s.Thread.At(int(e.Index)).Badges
	case e.Item != nil:
		badges = e.Item.Badges
	}
	switch {
	case badges.Has(model.Summary):
		return summaryPart
	case badges.Has(model.Injected):
		return injectedPart
	case e.Role == model.System:
		return systemPart
	case e.Role == model.Assistant:
		return agentPart
	case e.Role == model.Tool:
		return toolPart
	}
	return userPart
}

// fill sums up the prompt of the view. The sizes of the messages are scaled to the size of the prompt.
func (s *Aligned) fill(of, recorded *curate.Replayed, sizes *curate.Sizes) {
	f := &s.Filling
	f.Before = -1
	f.Recorded, _ = ContextAt(recorded, sizes, s.Call)
	f.Used, f.Counted = ContextAt(of, sizes, s.Call)
	if s.Call > 1 && of.Has(s.Call-1) {
		f.Before, _ = ContextAt(of, sizes, s.Call-1)
	}
	var tokens [parts]int64
	var sum int64
	for i := range s.View.Entries {
		if e := &s.View.Entries[i]; e.Fate != model.WasDropped && e.Fate != model.Unrecorded {
			tokens[s.partOf(e)] += int64(e.Tokens)
			sum += int64(e.Tokens)
		}
	}
	head := min(max(s.Rest, 0), f.Used)
	if head > 0 {
		f.Portions = append(f.Portions, Portion{s.RestWords(), head, headSign, kit.RoleSystem})
	}
	for i, n := range tokens {
		if n > 0 && sum > 0 {
			f.Portions = append(f.Portions, Portion{partNames[i], int64(float64(n) / float64(sum) * float64(f.Used-head)), partSigns[i], partStyles[i]})
		}
	}
}
