package linear

import (
	"strings"

	"agentlens/internal/curate/settings"
	"agentlens/internal/model"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/panes"
	"agentlens/internal/ui/view"
)

// A Command is a row of the table of commands.
type Command struct {
	Name, Takes, Help string
	ofView            bool // requires a view
	do                func(m *mode, arg string)
}

// Usage returns the syntax of the command.
func (c *Command) Usage() string { return strings.TrimSpace(c.Name + " " + c.Takes) }

// Commands returns all commands, for the help and the README.
func Commands() []Command {
	list := []Command{
		{"next", "", "the next ten rows; an empty line does the same", true, func(m *mode, _ string) { m.page() }},
		{"back", "", "the ten rows before", true, func(m *mode, _ string) { m.stepBack(); m.page() }},
		{"top", "", "to the first row", true, func(m *mode, _ string) { m.next = 0; m.page() }},
		{"message", "N", "message N as a whole; the number alone does the same", true, (*mode).message},
		{"history", "", "read the full history", true, func(m *mode, _ string) { m.sent, m.next = false, 0; m.say("reading the full history") }},
		{"saw", "", "read what the provider saw", true, (*mode).readSent},
		{"call", "N", "go to a call: a number, first, last or next", true, (*mode).toCall},
		{"strategy", "CHAIN", "try a chain; none shows the record again", true, (*mode).try},
		{"fit", "SIZE", "cut the context: the gentlest chain that fits half, 30%, 20k tokens", true, (*mode).fit},
		{"compare", "", "what the record, the chains tried and the named ones come to over all calls", true, (*mode).compare},
		{"setting", "PROGRAM", "the chain as a setting: " + strings.Join(settings.Writable(), ", "), true, (*mode).setting},
		{"keep", "NAME", "keep the chain in your settings under a name", true, (*mode).keep},
		{"half", "", "go to the first call whose context passes half the window", true, (*mode).half},
		{"break", "", "go to the next cache break, with its cause and its tokens", true, (*mode).toBreak},
		{"diff", "", "what differs: the full history against what was sent; diff next or diff call 3: this call against the next or that one; diff RUN: this run against another", true, (*mode).diff},
		{"why", "", "how the view is known; of a marker just read what it did", true, (*mode).why},
		{"find", "TEXT", "the rows that hold a text", true, (*mode).find},
		{"threads", "", "the threads of the run", false, (*mode).listThreads},
		{"thread", "N", "read another thread", false, (*mode).toThread},
		{"documents", "", "the documents of the run", false, (*mode).listDocuments},
		{"document", "N", "read a document", false, (*mode).document},
		{"export", "FILE", "write the run without its secrets; export view FILE: what this call was sent", true, (*mode).export},
		{"about", "", "what run, thread and call this is", false, func(m *mode, _ string) { m.about() }},
		{"help", "", "this list; ? does the same", false, (*mode).help},
		{"quit", "", "leave; q does the same", false, func(m *mode, _ string) { m.quit = true }},
	}
	for _, k := range panes.Landmarks() {
		list = append(list, Command{string(k.Name), "", "the next " + string(k.Help), true, func(m *mode, _ string) { m.landmark(&k) }})
	}
	return list
}

// short maps abbreviations of commands to their names.
func short() map[string]string { return map[string]string{"": "next", "q": "quit", "?": "help"} }

// do runs the command in line.
func (m *mode) do(line string) {
	name, arg, _ := strings.Cut(line, " ")
	arg = strings.TrimSpace(arg)
	if _, ok := kit.ParseInt(name); ok {
		name, arg = "message", name
	}
	if long, ok := short()[name]; ok {
		name = long
	}
	for _, c := range Commands() {
		switch {
		case c.Name != name:
		case c.ofView && m.Shown == nil:
			m.say("there is nothing to read in this run")
			return
		default:
			c.do(m, arg)
			return
		}
	}
	m.say("there is no command %q; help lists them", name)
}

func (m *mode) help(string) {
	for _, c := range Commands() {
		m.say("%s: %s", c.Usage(), c.Help)
	}
}

// readSent switches to the view of the call.
func (m *mode) readSent(string) {
	m.sent, m.next = true, 0
	if m.Shown.View.Basis == model.Simulated {
		m.say("reading what would be sent: %s", view.BasisWords(m.Shown).Text)
		return
	}
	m.say("reading what the provider saw")
}
