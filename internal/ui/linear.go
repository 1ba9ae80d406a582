package ui

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"agentlens/internal/curate"
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
		if m := measure(l.ctx, l.scene.run, t); m.err == nil && m.sizes != nil {
			l.sizes[t] = m.sizes
		}
	}
	j := job{
		run: l.scene.run, thread: t, marks: l.scene.markers[l.thread], call: l.call, chain: l.chain.text,
		sizes: l.sizes[t], window: l.window(), gate: l.cfg.Gate, had: l.replays,
	}
	f := j.form(l.ctx)
	if f.err != nil {
		return f.err
	}
	l.replays, l.msgs.shown, l.msgs.count = f.replays, f.shown, len(f.shown.items)
	l.next = 0
	return nil
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

// page reads rows on the side that is read, forward or back.
func (l *linear) page(d int) {
	if d < 0 {
		for n := 0; n < 2*linearPage && l.next > 0; {
			l.next--
			if l.has(l.next) {
				n++
			}
		}
	}
	n := 0
	for ; l.next < l.msgs.count && n < linearPage; l.next++ {
		if l.has(l.next) {
			l.row(l.next)
			n++
		}
	}
	if n == 0 {
		l.say("end of the thread; top begins anew")
	}
}

// has reports whether an item has a row on the side that is read.
func (l *linear) has(i int) bool {
	it := &l.msgs.shown.items[i]
	switch {
	case it.kind == markerItem, it.kind == horizonItem:
		return l.side == history || !it.later
	case l.side == sent && it.gap >= 0:
		return l.msgs.shown.gaps[it.gap].first == i
	}
	return l.msgs.present(it, l.side)
}

// row reads one row.
func (l *linear) row(i int) {
	s := l.msgs.shown
	it := &s.items[i]
	switch {
	case it.kind == markerItem:
		l.say("marker: %s", s.marks[it.index])
		return
	case it.kind == horizonItem:
		l.say("here %s was sent", callName(s.thread, s.call))
		return
	case l.side == sent && it.gap >= 0:
		g := &s.gaps[it.gap]
		l.say("%s left out by %s: %s", plural(g.count, "message"), g.by, g.why)
		return
	}
	w, ok := s.want(it, l.side == sent)
	if !ok {
		return
	}
	rd := l.reader()
	sum := rd.summarise(w)
	l.say("%s: %s%s%s", l.name(it, w), sum.text, calledWords(&sum), l.marksOf(it, w))
}

func (l *linear) name(it *item, w want) string {
	role, _ := l.msgs.role(it, w, false)
	if it.index < 0 {
		return string(role) + ", added"
	}
	return strconv.Itoa(int(it.index)) + " " + string(role)
}

// calledWords reads the calls of a message.
func calledWords(s *summary) string {
	var b strings.Builder
	for _, c := range s.calls {
		state := ""
		if c.failed {
			state = ", failed"
		} else if c.pending {
			state = ", pending"
		}
		fmt.Fprintf(&b, " [calls %s(%s)%s]", c.name, c.args, state)
	}
	return b.String()
}

// marksOf says in words what the screen shows with marks.
func (l *linear) marksOf(it *item, w want) string {
	var list []string
	if e := l.msgs.shown.entry(it); e != nil && e.Fate != model.Kept {
		list = append(list, e.Fate.String())
	} else if e == nil && it.kind == messageItem {
		list = append(list, "not given at this call")
	}
	if m := w.message; m != nil {
		if m.IsError {
			list = append(list, "failed")
		}
		for _, b := range m.Badges.List() {
			if b != model.ErrorBadge {
				list = append(list, b.String())
			}
		}
	}
	if len(list) == 0 {
		return ""
	}
	return " (" + strings.Join(slices.Compact(list), ", ") + ")"
}

// message reads all of a message, as the side that is read has it.
func (l *linear) message(n int) {
	s := l.msgs.shown
	if s == nil || n < 0 || n >= s.thread.Len() {
		l.say("there is no message %d", n)
		return
	}
	i := s.find(n)
	it := &s.items[i]
	w, ok := s.want(it, l.side == sent)
	if !ok {
		l.say("the provider did not see message %d at this call; as it is recorded:", n)
		w, _ = s.want(it, false)
	}
	rd := l.reader()
	l.say("%s%s", l.name(it, w), l.marksOf(it, w))
	l.safe(l.cfg.Gate.Text(textOf(rd.blocks(w))))
	if e := s.entry(it); e != nil && e.Reason != "" {
		l.say("%s by %s: %s", e.Fate, l.cfg.Gate.Line(e.By), l.cfg.Gate.Line(e.Reason))
	}
	l.next = i + 1
}

func (l *linear) landmark(k *landmark) {
	if l.msgs.shown == nil {
		return
	}
	for i := l.next; i < l.msgs.count; i++ {
		if k.is(l.msgs, i) && l.has(i) {
			l.row(i)
			l.next = i + 1
			return
		}
	}
	l.say("no other %s; top begins anew", k.name)
}

func (l *linear) toCall(arg string) {
	calls := len(l.threadNow().Calls)
	n, ok := map[string]int{"first": 1, "last": max(calls, 1), "next": calls + 1}[arg]
	if !ok {
		n, ok = number(arg)
	}
	if !ok || n < 1 || n > calls+1 {
		l.say("there is no such call: they go from 1 to %d, and next is the one after the record", calls)
		return
	}
	l.call = n
	l.again()
}

func (l *linear) try(arg string) {
	before := l.chain.text
	if arg == "none" {
		arg = ""
	}
	if arg != "" {
		chain, err := curate.Parse(arg)
		if err != nil {
			l.say("%s", l.cfg.Gate.Line(oneLine(err.Error())))
			return
		}
		arg = chain.String()
	}
	l.chain.text = arg
	if !l.again() {
		l.chain.text = before
	}
}

// again forms the view and says what it is; it reports whether it could.
func (l *linear) again() bool {
	if err := l.refresh(); err != nil {
		l.say("the view could not be formed: %s", l.cfg.Gate.Line(oneLine(err.Error())))
		return false
	}
	l.about()
	return true
}

func (l *linear) why(string) {
	for _, f := range viewFacts(l.msgs.shown, l.callAt(), l.scene.run) {
		if f.value != "" {
			l.safe(l.cfg.Gate.Line(f.key + ": " + oneLine(f.value)))
		}
	}
}

func (l *linear) findText(arg string) {
	n := newNeedle(arg)
	if n == nil {
		l.say("find needs a text")
		return
	}
	seek := seeker{reader: l.reader(), shown: l.msgs.shown, needle: n}
	count := 0
	for at := 0; at >= 0; {
		msg := seek.from(l.ctx, at)
		for _, i := range msg.hits {
			if count++; count <= 5*linearPage {
				was := l.side
				if !l.has(i) {
					l.side = 1 - l.side
				}
				l.row(i)
				l.side = was
			}
		}
		at = msg.next
	}
	l.say("%s", plural(count, "row")+" found")
}

func (l *linear) listThreads(string) {
	for i, t := range l.scene.threads {
		l.say("%d: %s %s, %s", i+1, t.kind, t.name, plural(l.scene.run.Threads[i].Len(), "message"))
	}
}

func (l *linear) toThread(arg string) {
	n, ok := number(arg)
	if !ok || n < 1 || n > len(l.scene.threads) {
		l.say("there is no such thread: threads lists them")
		return
	}
	l.thread = n - 1
	l.call = max(len(l.threadNow().Calls), 1)
	l.again()
}

func (l *linear) listDocuments(string) {
	for i, d := range l.scene.docs {
		l.say("%d: %s", i+1, d)
	}
	if len(l.scene.docs) == 0 {
		l.say("this run has no documents")
	}
}

func (l *linear) document(arg string) {
	n, ok := number(arg)
	if !ok || n < 1 || n > len(l.scene.docs) {
		l.say("there is no such document: documents lists them")
		return
	}
	rd := l.reader()
	d := &l.scene.run.Documents[n-1]
	body, err := rd.pieceTexts(append([]model.Ref{d.Body}, d.More...))
	if err != nil {
		l.safe(l.cfg.Gate.Line(oneLine(err.Error())))
		return
	}
	l.safe(rd.json(body))
}
