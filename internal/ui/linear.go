package ui

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"agentlens/internal/export"
	"agentlens/internal/model"
	"agentlens/internal/trace/source"
)

// linearPage is how many rows one step of the linear mode reads out.
const linearPage = 10

// A linear is the inspector for screen readers and for terminals that can only
// print: numbered lines and a prompt, nothing is drawn over, no lines and bars.
type linear struct {
	*root
	out  *bufio.Writer
	side side
	next int // item that is read next
}

// Linear shows a run line by line: commands are read from in, answers written to
// out. why says what chose this mode. It ends with quit or with the input.
func Linear(ctx context.Context, cfg Config, in io.Reader, out io.Writer, why string) error {
	if cfg.Gate == nil || cfg.Load == nil {
		return errors.New("open the inspector: the gate and the load function must be given")
	}
	l := &linear{root: newRoot(ctx, cfg, newTheme(false, noColour)), out: bufio.NewWriter(out)}
	l.say("lens, linear mode (%s). help lists the commands.", why)
	if err := l.open(ctx); err != nil {
		return err
	}
	l.about()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for {
		fmt.Fprint(l.out, "lens> ")
		if err := l.out.Flush(); err != nil {
			return nil // nobody reads any more
		}
		if !lines.Scan() {
			l.say("")
			return errors.Join(lines.Err(), l.out.Flush())
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if done := l.do(strings.TrimSpace(lines.Text())); done {
			return l.out.Flush()
		}
	}
}

// say writes lens's own words; safe writes a text of a record.
func (l *linear) say(format string, a ...any) { fmt.Fprintf(l.out, format+"\n", a...) }

func (l *linear) safe(s export.Safe) { fmt.Fprintln(l.out, s) }

// open reads the run and forms the first view.
func (l *linear) open(ctx context.Context) error {
	run, err := l.cfg.Load(ctx, source.Options{})
	if err != nil {
		return err
	}
	l.scene = newScene(run, l.cfg.Gate)
	l.thread, l.call = l.wantedThread(run), l.cfg.Call
	if t := l.threadNow(); t != nil && l.call <= 0 {
		l.call = max(len(t.Calls), 1)
	}
	return l.refresh()
}

// refresh forms the view of the thread and call that are chosen.
func (l *linear) refresh() error {
	t := l.threadNow()
	if t == nil {
		return nil
	}
	l.call = min(max(l.call, 1), len(t.Calls)+1)
	if l.sizes[t] == nil {
		if sizes, err := sizesAtOnce(l.ctx, l.scene.run, t); err == nil {
			l.sizes[t] = sizes
		}
	}
	f := l.job(t).form(l.ctx)
	if f.err != nil {
		return f.err
	}
	l.replays, l.msgs.shown, l.msgs.count = f.replays, f.shown, len(f.shown.items)
	l.next = 0
	return nil
}

// job is the view of the thread at the call and with the chain that are chosen.
func (l *linear) job(t *model.Thread) job {
	return job{
		run: l.scene.run, thread: t, marks: l.scene.markers[l.thread], call: l.call, chain: l.chain.text,
		sizes: l.sizes[t], window: l.window(), gate: l.cfg.Gate, had: l.replays,
	}
}

// about says what run, thread and call this is, and how much of it was sent.
func (l *linear) about() {
	sc := l.scene
	l.say("run %s, %s, %s, %s, %s, %s", sc.id, sc.title, sc.status, plural(len(sc.run.Threads), "thread"), plural(sc.counts.Messages, "message"), plural(sc.counts.Calls, "call"))
	s := l.msgs.shown
	if s == nil {
		l.say("this run has no thread")
		return
	}
	label := sc.threads[l.thread]
	l.say("thread %d of %d: %s %s", l.thread+1, len(sc.threads), label.kind, label.name)
	l.aboutCall()
}

// aboutCall says what call this is, how its view is known and what it left out.
func (l *linear) aboutCall() {
	s := l.msgs.shown
	l.say("%s of %d, %s: given %s, sent %s", callName(s.thread, s.call), len(s.thread.Calls), basisWords(s).text,
		tallyWords(s.view.Original, s.exact), tallyWords(s.view.Curated, !s.view.Estimated))
	if l.chain.text != "" {
		l.say("chain: %s", l.chain.text)
	}
}

// do carries out a line; it reports whether it was the last.
func (l *linear) do(typed string) (done bool) {
	name, arg, _ := strings.Cut(typed, " ")
	arg = strings.TrimSpace(arg)
	if n, ok := number(name); ok {
		l.message(n)
		return false
	}
	if name == "quit" || name == "q" {
		return true
	}
	for _, c := range linearTable() {
		if c.name == name || typed == "" && c.name == "next" {
			if l.msgs.shown == nil && c.view {
				l.say("there is nothing to read in this run")
			} else {
				c.do(l, arg)
			}
			return false
		}
	}
	if k := landmarkNamed(name); k != nil {
		l.landmark(k)
		return false
	}
	l.say("there is no command %q; help lists them", name)
	return false
}

// linearTable lists the commands; help is made of it.
func linearTable() []struct {
	name, takes, help string
	view              bool // it needs a view
	do                func(l *linear, arg string)
} {
	return []struct {
		name, takes, help string
		view              bool
		do                func(l *linear, arg string)
	}{
		{"next", "", "the next ten rows; an empty line does the same", true, func(l *linear, _ string) { l.page(1) }},
		{"back", "", "the ten rows before", true, func(l *linear, _ string) { l.page(-1) }},
		{"top", "", "to the first row", true, func(l *linear, _ string) { l.next = 0; l.page(1) }},
		{"history", "", "read the full history", true, func(l *linear, _ string) { l.side, l.next = history, 0; l.say("reading the full history") }},
		{"saw", "", "read what the provider saw", true, func(l *linear, _ string) { l.side, l.next = sent, 0; l.say("reading what the provider saw") }},
		{"call", "N", "go to a call: a number, first, last or next", true, (*linear).toCall},
		{"strategy", "CHAIN", "try a chain; none shows the record again", true, (*linear).try},
		{"diff", "", "what differs: the full history against what was sent; diff next: this call against the next; diff RUN: this run against another", true, (*linear).diff},
		{"why", "", "how the view is known", true, (*linear).why},
		{"find", "TEXT", "the rows that hold a text", true, (*linear).findText},
		{"threads", "", "the threads of the run", false, (*linear).listThreads},
		{"thread", "N", "read another thread", false, (*linear).toThread},
		{"documents", "", "the documents of the run", false, (*linear).listDocuments},
		{"document", "N", "read a document", false, (*linear).document},
		{"about", "", "what run, thread and call this is", false, func(l *linear, _ string) { l.about() }},
		{"help", "", "this list", false, (*linear).help},
	}
}

func landmarkNamed(name string) *landmark {
	list := landmarks()
	for i := range list {
		if string(list[i].name) == name {
			return &list[i]
		}
	}
	return nil
}

func (l *linear) help(string) {
	l.say("N: message number N as a whole")
	for _, c := range linearTable() {
		l.say("%s: %s", strings.TrimSpace(c.name+" "+c.takes), c.help)
	}
	for _, k := range landmarks() {
		l.say("%s: the next %s", k.name, k.help)
	}
	l.say("quit: leave")
}
