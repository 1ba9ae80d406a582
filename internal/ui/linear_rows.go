package ui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentlens/internal/curate"
	"agentlens/internal/model"
)

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
		l.missing(&s.gaps[it.gap])
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

// missing reads how many messages the view does not have, by whom and why: each reason,
// with the number of messages it holds for where there are several.
func (l *linear) missing(g *gap) {
	s, what := l.msgs.shown, plural(g.count, "message")
	if !g.given {
		l.say("%s not given at this call", what)
		return
	}
	var reasons []string
	of := map[string]int{}
	for i := g.first; i <= g.last; i++ {
		why := s.entry(&s.items[i]).Reason
		if of[why]++; of[why] == 1 {
			reasons = append(reasons, why)
		}
	}
	if len(reasons) > 1 {
		for i, why := range reasons {
			reasons[i] = fmt.Sprintf("%s (%d)", why, of[why])
		}
	}
	l.say("%s left out by %s: %s", what, g.by, l.cfg.Gate.Line(strings.Join(reasons, "; ")))
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
	for i := l.next; i < l.msgs.count; i++ {
		if k.is(l.msgs, i) && l.has(i) {
			l.row(i)
			l.next = i + 1
			return
		}
	}
	for i := range l.msgs.count {
		if k.is(l.msgs, i) {
			l.say("no other %s; top begins anew", k.name)
			return
		}
	}
	l.say("there are no %s in this thread", k.all)
}

// toCall goes to a call by its name.
func (l *linear) toCall(arg string) {
	calls := len(l.threadNow().Calls)
	n, ok := callNamed(arg, calls)
	if !ok {
		l.say("%s", noCallNamed(arg, calls))
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
		chain, err := curate.ParseWith(arg, l.cfg.Presets)
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
	l.tried.add(l.chain.text)
}

// again forms the view and says what it is; it reports whether it could.
func (l *linear) again() bool {
	if err := l.refresh(); err != nil {
		l.say("the view could not be formed: %s", l.cfg.Gate.Line(oneLine(err.Error())))
		return false
	}
	l.aboutCall()
	return true
}

// why says how the view is known, and first of a marker that was just read what it did.
func (l *linear) why(string) {
	if i := l.next - 1; i >= 0 && i < l.msgs.count {
		if it := &l.msgs.shown.items[i]; it.kind == markerItem {
			l.facts(markerFacts(&l.msgs.shown.thread.Markers[it.index], l.msgs.shown, l.replays.recorded, l.scene.run))
			l.say("of the view:")
		}
	}
	l.facts(viewFacts(l.msgs.shown, l.msgs.shown.recordedCall(), l.scene.run, l.cfg.Prices))
}

func (l *linear) facts(list []fact) {
	for _, f := range list {
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
	var unread error
	for at := 0; at >= 0; {
		msg := seek.from(l.ctx, at)
		if unread == nil {
			unread = msg.err
		}
		for _, i := range msg.list {
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
	l.say("%s found", plural(count, "row"))
	if unread != nil {
		l.say("some texts could not be read: %s", l.cfg.Gate.Line(oneLine(whyUnread(unread))))
	}
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
	if l.again() {
		l.say("this is thread %d: %s", n, l.scene.threads[n-1].name)
	}
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
