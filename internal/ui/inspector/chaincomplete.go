package inspector

import (
	"slices"
	"strings"

	"agentlens/internal/curate"
)

// This file is what Tab may put into a chain: names of strategies and presets,
// within brackets the parameters of the strategy, behind a parameter its words.

// candidates lists what may stand at the cursor and begins with word.
func (c *chainLine) candidates(word string) []string {
	spec := c.specAt()
	if spec == nil || !c.inBrackets() {
		return names(word, c.presets)
	}
	p, inValue := c.paramAt(spec)
	var all []string
	switch {
	case inValue:
		all = valuesOf(p)
	default:
		if p != nil { // the first parameter goes without its name
			all = valuesOf(p)
		}
		for i := range spec.Params {
			all = append(all, spec.Params[i].Name+"=")
		}
	}
	return slices.DeleteFunc(all, func(s string) bool { return !strings.HasPrefix(s, word) })
}

// unfinished reports whether a fault is only that the chain is still being typed: it
// lies at the end, within brackets that are to be closed yet, or in a name that begins
// as one there is.
func (c *chainLine) unfinished(e *curate.SyntaxError) bool {
	_, after := c.edit.Halves()
	if word, _ := c.edit.Word(); !c.insist && len(after) == 0 && !c.inBrackets() && word != "" && strings.HasSuffix(e.Text, word) && e.Pos == len(e.Text)-len(word) {
		return len(names(word, c.presets)) > 0
	}
	return !c.insist && len(after) == 0 && c.inBrackets() && c.specAt() != nil &&
		(e.Pos >= len(e.Text) || e.Pos == strings.LastIndexByte(e.Text, '('))
}

// inBrackets reports whether the cursor stands within the brackets of its stage.
func (c *chainLine) inBrackets() bool {
	stage := c.stageBefore()
	return strings.Count(stage, "(") > strings.Count(stage, ")")
}

// stageBefore is what stands of the stage before the cursor.
func (c *chainLine) stageBefore() string {
	before, _ := c.edit.Halves()
	stage := string(before)
	return stage[strings.LastIndexByte(stage, '|')+1:]
}

// paramAt is the parameter at the cursor, or nil, and whether the cursor stands
// behind its name. The first parameter may go without.
func (c *chainLine) paramAt(spec *curate.Spec) (p *curate.Param, inValue bool) {
	if !c.inBrackets() {
		return nil, false
	}
	stage := c.stageBefore()
	_, args, _ := strings.Cut(stage, "(")
	at := strings.LastIndexByte(args, ',') + 1
	name, _, named := strings.Cut(args[at:], "=")
	name = strings.TrimSpace(name)
	for i := range spec.Params {
		if named && spec.Params[i].Name == name {
			return &spec.Params[i], true
		}
	}
	if !named && at == 0 && len(spec.Params) > 0 {
		return &spec.Params[0], false
	}
	return nil, false
}

// valuesOf lists the words a parameter takes.
func valuesOf(p *curate.Param) []string {
	switch {
	case p.Kind == curate.KindBool:
		return []string{"true", "false"}
	case len(p.Words) > 0:
		return slices.Clone(p.Words)
	}
	return nil
}
