package inspector

import (
	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/curate"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/screens/chooser"
	"agentlens/internal/ui/stages"
)

// This file is the chain as a list of stages: a panel under the panes, in which
// parameters are turned while the view above forms anew.

// maxStageRows bounds how many stages the panel shows at once.
const maxStageRows = 8

// panelHeight is how many lines the panel wants: a title, the stages, what the
// parameter means.
func (r *inspector) panelHeight() int {
	if r.chain.list == nil {
		return 0
	}
	return min(max(len(r.chain.list.Stages), 1), maxStageRows) + 2
}

// editStages opens the list, and offers a first stage where it is empty: who takes none
// leaves the list too.
func (r *inspector) editStages() {
	if r.openStages(); len(r.chain.list.Stages) == 0 {
		r.chooseStage()
		r.top().(*chooser.Chooser).Leave = func() tea.Cmd { return r.closeStages(false) }
	}
}

// openStages opens the list with the chain that is tried.
func (r *inspector) openStages() {
	var chain curate.Chain
	if r.chain.text != "" {
		chain, _ = curate.Parse(r.chain.text) // it was parsed before
	}
	r.chain.list = stages.New(chain)
	r.chain.aside = false
	r.arrange()
}

// closeStages ends the list: kept, its chain stays in force.
func (r *inspector) closeStages(keep bool) tea.Cmd {
	text := r.chain.list.Text()
	before := r.chain.text
	if keep {
		r.chain.text = text
	}
	r.chain.list = nil
	r.arrange()
	if !keep && text != before {
		return r.Form()
	}
	return nil
}

// stageAction is a key of the list of stages. It reports whether it could do it.
type stageAction struct {
	keyRow
	do func(r *inspector, l *stages.List) (ok bool)
}

func stageActions() []stageAction {
	move := func(f func(l *stages.List)) func(*inspector, *stages.List) bool {
		return func(_ *inspector, l *stages.List) bool { f(l); return true }
	}
	change := func(f func(l *stages.List) bool) func(*inspector, *stages.List) bool {
		return func(_ *inspector, l *stages.List) bool { return f(l) }
	}
	offer := func(f func(r *inspector)) func(*inspector, *stages.List) bool {
		return func(r *inspector, _ *stages.List) bool { f(r); return true }
	}
	return []stageAction{
		{keyRow{[]string{"+", "=", "."}, kit.Hint{Key: "+ -", Does: "turn"}, "turn the parameter up"}, change(func(l *stages.List) bool { return l.Turn(1) })},
		{keyRow{keys: []string{"-", ","}, help: "turn the parameter down"}, change(func(l *stages.List) bool { return l.Turn(-1) })},
		{keyRow{[]string{"right", "l", "tab"}, kit.Hint{Key: "← →", Does: "parameter"}, "the next parameter"}, move(func(l *stages.List) { l.MoveParam(1) })},
		{keyRow{keys: []string{"left", "h", "shift+tab"}, help: "the parameter before"}, move(func(l *stages.List) { l.MoveParam(-1) })},
		{keyRow{[]string{"down", "j"}, kit.Hint{Key: "↑ ↓", Does: "stage"}, "the next stage"}, move(func(l *stages.List) { l.Move(1) })},
		{keyRow{keys: []string{"up", "k"}, help: "the stage before"}, move(func(l *stages.List) { l.Move(-1) })},
		{keyRow{[]string{"a"}, kit.Hint{Key: "a", Does: "add"}, "add a stage after this one"}, offer((*inspector).chooseStage)},
		{keyRow{[]string{"x", "delete"}, kit.Hint{Key: "x", Does: "remove"}, "take the stage out"}, change((*stages.List).Remove)},
		{keyRow{[]string{"J", "shift+down"}, kit.Hint{Key: "J K", Does: "reorder"}, "move the stage down"}, change(func(l *stages.List) bool { return l.Shift(1) })},
		{keyRow{keys: []string{"K", "shift+up"}, help: "move the stage up"}, change(func(l *stages.List) bool { return l.Shift(-1) })},
		{keyRow{[]string{" "}, kit.Hint{Key: "space", Does: "off"}, "switch the stage off, or on again"}, change((*stages.List).Toggle)},
		{keyRow{[]string{"p"}, kit.Hint{Key: "p", Does: "preset"}, "a named chain in place of the list"}, offer((*inspector).choosePreset)},
		{keyRow{[]string{"u"}, kit.Hint{Key: "u U", Does: "undo"}, "take the last change back"}, change((*stages.List).Undo)},
		{keyRow{keys: []string{"U"}, help: "make the last change again"}, change((*stages.List).Redo)},
	}
}

// chooseStage offers the strategies to add one.
func (r *inspector) chooseStage() {
	var list []chooser.Choice
	for _, s := range curate.Specs() {
		list = append(list, chooser.Choice{Name: kit.Words(s.Name), Help: kit.Words(s.Summary), Key: kit.Words(s.Whose), Run: func() tea.Cmd {
			return r.editList(func(l *stages.List) bool { return l.Add(s.Name) })
		}})
	}
	r.Push(chooser.New("add a stage", " + ", list))
}

// choosePreset offers the named chains in place of the list.
func (r *inspector) choosePreset() {
	var list []chooser.Choice
	for _, p := range append(curate.Presets(), r.cfg.Presets...) {
		list = append(list, chooser.Choice{Name: kit.Words(p.Name), Help: r.chain.gated(p.Chain), Run: func() tea.Cmd {
			chain, err := curate.ParseWith(p.Chain, r.cfg.Presets)
			return r.editList(func(l *stages.List) bool { return err == nil && l.Set(chain) })
		}})
	}
	r.Push(chooser.New("a preset in place of the list", " @ ", list))
}

// editList changes the list and forms the view anew.
func (r *inspector) editList(change func(*stages.List) bool) tea.Cmd {
	if r.chain.list == nil {
		r.openStages()
	}
	if !change(r.chain.list) {
		r.note = "that does not fit here: it must be the first stage and stand once, or there are too many"
	}
	r.arrange()
	return r.Form()
}

// toggleRecorded shows the record in place of the chain, and back.
func (r *inspector) toggleRecorded() tea.Cmd {
	r.chain.aside = !r.chain.aside
	return r.Form()
}

func (r *inspector) noChain() kit.Words {
	if why := r.noView(); why != "" {
		return why
	}
	if r.chain.tried() == "" {
		return "no chain is tried: s types one, S builds one"
	}
	return ""
}
