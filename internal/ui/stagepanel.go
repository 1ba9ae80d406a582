package ui

import (
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/curate"
	"agentlens/internal/ui/stages"
	"agentlens/internal/ui/text"
)

// This file is the chain as a list of stages: a panel under the panes, in which
// parameters are turned while the view above forms anew.

// maxStageRows bounds how many stages the panel shows at once.
const maxStageRows = 8

// panelHeight is how many lines the panel wants: a title, the stages, what the
// parameter means.
func (r *root) panelHeight() int {
	if r.chain.list == nil {
		return 0
	}
	return min(max(len(r.chain.list.Stages), 1), maxStageRows) + 2
}

// editStages opens the list, and offers a first stage where it is empty: who takes none
// leaves the list too.
func (r *root) editStages() {
	if r.openStages(); len(r.chain.list.Stages) == 0 {
		r.chooseStage()
		r.top().(*chooser).leave = func() tea.Cmd { return r.closeStages(false) }
	}
}

// openStages opens the list with the chain that is tried.
func (r *root) openStages() {
	var chain curate.Chain
	if r.chain.text != "" {
		chain, _ = curate.Parse(r.chain.text) // it was parsed before
	}
	r.chain.list = stages.New(chain)
	r.chain.aside = false
	r.arrange()
}

// closeStages ends the list: kept, its chain stays in force.
func (r *root) closeStages(keep bool) tea.Cmd {
	text := r.chain.list.Text()
	before := r.chain.text
	if keep {
		r.chain.text = text
	}
	r.chain.list = nil
	r.arrange()
	if !keep && text != before {
		return r.form()
	}
	return nil
}

// stageAction is a key of the list of stages. It reports whether it could do it.
type stageAction struct {
	keyRow
	do func(r *root, l *stages.List) (ok bool)
}

func stageActions() []stageAction {
	move := func(f func(l *stages.List)) func(*root, *stages.List) bool {
		return func(_ *root, l *stages.List) bool { f(l); return true }
	}
	change := func(f func(l *stages.List) bool) func(*root, *stages.List) bool {
		return func(_ *root, l *stages.List) bool { return f(l) }
	}
	offer := func(f func(r *root)) func(*root, *stages.List) bool {
		return func(r *root, _ *stages.List) bool { f(r); return true }
	}
	return []stageAction{
		{keyRow{[]string{"+", "=", "."}, hint{"+ -", "turn"}, "turn the parameter up"}, change(func(l *stages.List) bool { return l.Turn(1) })},
		{keyRow{keys: []string{"-", ","}, help: "turn the parameter down"}, change(func(l *stages.List) bool { return l.Turn(-1) })},
		{keyRow{[]string{"right", "l", "tab"}, hint{"← →", "parameter"}, "the next parameter"}, move(func(l *stages.List) { l.MoveParam(1) })},
		{keyRow{keys: []string{"left", "h", "shift+tab"}, help: "the parameter before"}, move(func(l *stages.List) { l.MoveParam(-1) })},
		{keyRow{[]string{"down", "j"}, hint{"↑ ↓", "stage"}, "the next stage"}, move(func(l *stages.List) { l.Move(1) })},
		{keyRow{keys: []string{"up", "k"}, help: "the stage before"}, move(func(l *stages.List) { l.Move(-1) })},
		{keyRow{[]string{"a"}, hint{"a", "add"}, "add a stage after this one"}, offer((*root).chooseStage)},
		{keyRow{[]string{"x", "delete"}, hint{"x", "remove"}, "take the stage out"}, change((*stages.List).Remove)},
		{keyRow{[]string{"J", "shift+down"}, hint{"J K", "reorder"}, "move the stage down"}, change(func(l *stages.List) bool { return l.Shift(1) })},
		{keyRow{keys: []string{"K", "shift+up"}, help: "move the stage up"}, change(func(l *stages.List) bool { return l.Shift(-1) })},
		{keyRow{[]string{" "}, hint{"space", "off"}, "switch the stage off, or on again"}, change((*stages.List).Toggle)},
		{keyRow{[]string{"p"}, hint{"p", "preset"}, "a named chain in place of the list"}, offer((*root).choosePreset)},
		{keyRow{[]string{"u"}, hint{"u U", "undo"}, "take the last change back"}, change((*stages.List).Undo)},
		{keyRow{keys: []string{"U"}, help: "make the last change again"}, change((*stages.List).Redo)},
	}
}

// chooseStage offers the strategies to add one.
func (r *root) chooseStage() {
	var list []choice
	for _, s := range curate.Specs() {
		list = append(list, choice{name: words(s.Name), help: words(s.Summary), key: words(s.Whose), run: func() tea.Cmd {
			return r.editList(func(l *stages.List) bool { return l.Add(s.Name) })
		}})
	}
	r.push(newChooser("add a stage", " + ", list))
}

// choosePreset offers the named chains in place of the list.
func (r *root) choosePreset() {
	var list []choice
	for _, p := range append(curate.Presets(), r.cfg.Presets...) {
		list = append(list, choice{name: words(p.Name), help: words(p.Chain), run: func() tea.Cmd {
			chain, err := curate.ParseWith(p.Chain, r.cfg.Presets)
			return r.editList(func(l *stages.List) bool { return err == nil && l.Set(chain) })
		}})
	}
	r.push(newChooser("a preset in place of the list", " @ ", list))
}

// editList changes the list and forms the view anew.
func (r *root) editList(change func(*stages.List) bool) tea.Cmd {
	if r.chain.list == nil {
		r.openStages()
	}
	if !change(r.chain.list) {
		r.note = "that does not fit here: it must be the first stage and stand once, or there are too many"
	}
	r.arrange()
	return r.form()
}

// toggleRecorded shows the record in place of the chain, and back.
func (r *root) toggleRecorded() tea.Cmd {
	r.chain.aside = !r.chain.aside
	return r.form()
}

func (r *root) noChain() words {
	if why := r.noView(); why != "" {
		return why
	}
	if r.chain.tried() == "" {
		return "no chain is tried: s types one, S builds one"
	}
	return ""
}

// panelLine paints line y of the panel of h lines.
func (r *root) panelLine(l *liner, y, h int) {
	list := r.chain.list
	switch {
	case y == 0:
		l.shade = weakShade
		l.sgr(strong)
		r.panelTitle(l)
	case y == h-1:
		r.paramHelp(l)
	case len(list.Stages) == 0:
		l.own("  no stage: a adds one, p takes a preset", faint)
	default:
		rows := h - 2
		if i := stageTop(list, rows) + y - 1; i < len(list.Stages) {
			r.stageRow(l, i)
		}
	}
}

// panelTitle paints the first line of the panel: what the stages make of the tokens
// before what they are, where there is no room for both.
func (r *root) panelTitle(l *liner) {
	sum := words("")
	if s := r.msgs.shown; s != nil {
		sum = about(s.view.Original.Tokens, s.exact) + " → " + about(s.view.Curated.Tokens, !s.view.Estimated)
	}
	l.own(" stages", strong)
	const says = "  each works at what the one before left"
	if text.Width(says)+2+text.Width(string(sum)) < l.left {
		l.own(says, dim)
	}
	l.to(text.Width(string(sum)) + 1)
	l.own(sum, title)
	l.to(0)
}

// stageTop is the first stage a panel of so many rows shows.
func stageTop(l *stages.List, rows int) int {
	return max(min(l.Cursor-rows/2, len(l.Stages)-rows), 0)
}

// clickStage puts the cursor on the stage in line y of the panel.
func (r *root) clickStage(y int) {
	l, rows := r.chain.list, r.lay.panel-2
	if y >= 1 && y <= rows {
		l.Move(stageTop(l, rows) + y - 1 - l.Cursor)
	}
}

func (r *root) stageRow(l *liner, i int) {
	list := r.chain.list
	s := &list.Stages[i]
	here := i == list.Cursor
	if here {
		l.shade = cursorShade
		l.sgr(plain)
	}
	bar := words(" ")
	if here {
		bar = "▎"
	}
	l.own(bar, accent)
	l.own(words(strconv.Itoa(i+1))+" ", faint)
	name, on := accent, words("● ")
	if s.Off {
		name, on = faint, "○ "
	}
	l.own(on, name)
	after := r.afterStage(i)
	l.within(l.left-text.Width(string(after))-2, func() {
		l.own(words(s.Call.Spec.Name), name)
		first := 0
		if here {
			if first = firstParam(s, list.Param, l.left); first > 0 {
				l.own("  …", faint)
			}
		}
		for j := first; j < len(s.Call.Spec.Params); j++ {
			p := &s.Call.Spec.Params[j]
			value := valueOf(s, p)
			st := dim
			if value != p.Default {
				st = title
			}
			l.own("  "+words(p.Name)+"=", faint)
			if here && j == list.Param {
				l.own("‹"+words(value)+"›", matchHere)
			} else {
				l.own(words(value), st)
			}
		}
	})
	l.to(text.Width(string(after)) + 1)
	l.own(after, dim)
	l.to(0)
}

// valueOf is the value of a parameter, a dash where it has none.
func valueOf(s *stages.Stage, p *curate.Param) string {
	if value := s.Call.ArgText(p.Name); value != "" {
		return value
	}
	return "–"
}

// firstParam is the first parameter a row of room cells shows, so that the one under
// the cursor is on it.
func firstParam(s *stages.Stage, cursor, room int) int {
	room -= text.Width(s.Call.Spec.Name) + len("  …") + len("‹›")
	first := min(cursor, len(s.Call.Spec.Params)-1)
	for i := first; i >= 0; i-- {
		p := &s.Call.Spec.Params[i]
		if room -= text.Width(p.Name+valueOf(s, p)) + 3; room < 0 {
			break
		}
		first = i
	}
	return max(first, 0)
}

// afterStage is what stage i of the list left of the call, once the view is formed.
func (r *root) afterStage(i int) words {
	list, s := r.chain.list, r.msgs.shown
	if list.Stages[i].Off {
		return "off"
	}
	if s == nil || s.chain != list.Text() {
		return ""
	}
	nth := 0
	for j := range i {
		if !list.Stages[j].Off {
			nth++
		}
	}
	if nth >= len(s.view.Stages) {
		return ""
	}
	t := s.view.Stages[nth]
	return plural(t.Messages, "msg") + " " + about(t.Tokens, !s.view.Estimated)
}

// paramHelp says what the parameter under the cursor means and may be.
func (r *root) paramHelp(l *liner) {
	list := r.chain.list
	p := list.ParamAt()
	l.blank(2)
	if p == nil {
		if s := list.At(); s != nil {
			l.own(words(s.Call.Spec.Summary), dim)
		}
		return
	}
	l.own(words(p.Name), accent)
	l.own("  "+words(p.Help), dim)
	may := words("")
	switch {
	case len(p.Words) > 0:
		for _, w := range p.Words {
			may += " " + words(w)
		}
	case p.Kind == curate.KindAmount:
		may = " in " + words(p.Unit)
		for _, u := range p.Units {
			may += " or " + words(u)
		}
	case p.Kind == curate.KindList || p.Kind == curate.KindWord:
		may = " typed: s"
	}
	l.own(" ·"+may, faint)
}
