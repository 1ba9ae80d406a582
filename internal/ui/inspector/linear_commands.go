package inspector

import (
	"strings"

	"agentlens/internal/curate/settings"
	"agentlens/internal/safe"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/panes"
)

// A linearCommand is a row of the table of the linear mode's commands.
type linearCommand struct {
	name, takes, help string
	view              bool // it needs a view
	do                func(l *linear, arg string)
}

// linearTable lists the commands; help and README are made of it.
func linearTable() []linearCommand {
	list := []linearCommand{
		{"next", "", "the next ten rows; an empty line does the same", true, func(l *linear, _ string) { l.page(1) }},
		{"back", "", "the ten rows before", true, func(l *linear, _ string) { l.page(-1) }},
		{"top", "", "to the first row", true, func(l *linear, _ string) { l.next = 0; l.page(1) }},
		{"message", "N", "message N as a whole; the number alone does the same", true, (*linear).toMessage},
		{"history", "", "read the full history", true, func(l *linear, _ string) { l.side, l.next = panes.History, 0; l.Say("reading the full history") }},
		{"saw", "", "read what the provider saw", true, func(l *linear, _ string) { l.side, l.next = panes.Sent, 0; l.Say("reading what the provider saw") }},
		{"call", "N", "go to a call: a number, first, last or next", true, (*linear).toCall},
		{"strategy", "CHAIN", "try a chain; none shows the record again", true, (*linear).try},
		{"fit", "SIZE", "cut the context: the gentlest chain that fits half, 30%, 20k tokens", true, (*linear).fit},
		{"compare", "", "what the record, the chains tried and the named ones come to over all calls", true, (*linear).compare},
		{"setting", "PROGRAM", "the chain as a setting: " + strings.Join(settings.Writable(), ", "), true, (*linear).setting},
		{"keep", "NAME", "keep the chain in your settings under a name", true, (*linear).keepChain},
		{"half", "", "go to the first call whose context passes half the window", true, (*linear).half},
		{"diff", "", "what differs: the full history against what was sent; diff next or diff call 3: this call against the next or that one; diff RUN: this run against another", true, (*linear).diff},
		{"why", "", "how the view is known; of a marker just read what it did", true, (*linear).Why},
		{"find", "TEXT", "the rows that hold a text", true, (*linear).findText},
		{"threads", "", "the threads of the run", false, (*linear).listThreads},
		{"thread", "N", "read another thread", false, (*linear).toThread},
		{"documents", "", "the documents of the run", false, (*linear).listDocuments},
		{"document", "N", "read a document", false, (*linear).document},
		{"export", "FILE", "write the run without its secrets; export view FILE: what this call was sent", true, (*linear).export},
		{"about", "", "what run, thread and call this is", false, func(l *linear, _ string) { l.about() }},
		{"help", "", "this list; ? does the same", false, (*linear).help},
		{"quit", "", "leave; q does the same", false, func(l *linear, _ string) { l.left = true }},
	}
	for _, k := range panes.Landmarks() {
		list = append(list, linearCommand{string(k.Name), "", "the next " + string(k.Help), true, func(l *linear, _ string) { l.landmark(&k) }})
	}
	return list
}

// linearShort are commands that are typed in another way.
var linearShort = map[string]string{"": "next", "q": "quit", "?": "help"}

// do carries out a line.
func (l *linear) do(typed string) {
	l.note, l.noteText = "", safe.Safe{}
	name, arg, _ := strings.Cut(typed, " ")
	arg = strings.TrimSpace(arg)
	if _, ok := kit.ParseInt(name); ok {
		name, arg = "message", name
	}
	if long, ok := linearShort[name]; ok {
		name = long
	}
	for _, c := range linearTable() {
		switch {
		case c.name != name:
		case c.view && l.msgs.Shown == nil:
			l.Say("there is nothing to read in this run")
			return
		default:
			c.do(l, arg)
			return
		}
	}
	l.Say("there is no command %q; help lists them", name)
}

func (l *linear) help(string) {
	for _, c := range linearTable() {
		l.Say("%s: %s", strings.TrimSpace(c.name+" "+c.takes), c.help)
	}
}

// toMessage reads the message of a number.
func (l *linear) toMessage(arg string) {
	n, ok := kit.ParseInt(arg)
	if !ok {
		l.Say("message needs a number: they go from 0 to %d", l.msgs.Shown.Thread.Len()-1)
		return
	}
	l.Message(n)
}
