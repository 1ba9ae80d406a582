package inspector

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentlens/internal/curate"
	"agentlens/internal/model"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/panes"
	"agentlens/internal/ui/view"
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
	for ; l.next < l.msgs.Count && n < linearPage; l.next++ {
		if l.has(l.next) {
			l.Row(l.next)
			n++
		}
	}
	if n == 0 {
		l.Say("end of the thread; top begins anew")
	}
}

// has reports whether an item has a row on the side that is read.
func (l *linear) has(i int) bool {
	it := &l.msgs.Shown.Items[i]
	switch {
	case it.Kind == view.MarkerItem, it.Kind == view.HorizonItem:
		return l.side == panes.History || !it.Later
	case l.side == panes.Sent && it.Gap >= 0:
		return l.msgs.Shown.Gaps[it.Gap].First == i
	}
	return l.msgs.Present(it, l.side)
}

// Row reads one row.
func (l *linear) Row(i int) {
	s := l.msgs.Shown
	it := &s.Items[i]
	switch {
	case it.Kind == view.MarkerItem:
		l.Say("marker: %s", s.Marks[it.Index])
		return
	case it.Kind == view.HorizonItem:
		l.Say("here %s was sent", view.CallName(s.Thread, s.Call))
		return
	case l.side == panes.Sent && it.Gap >= 0:
		l.missing(&s.Gaps[it.Gap])
		return
	}
	w, ok := s.Request(it, l.side == panes.Sent)
	if !ok {
		return
	}
	rd := l.reader()
	sum := rd.Summarise(w)
	l.Say("%s: %s%s%s", l.name(it, w), sum.Text, calledWords(&sum), l.marksOf(it, w))
}

// missing reads how many messages the view does not have, by whom and why: each reason,
// with the number of messages it holds for where there are several.
func (l *linear) missing(g *view.Gap) {
	s, what := l.msgs.Shown, kit.Plural(g.Count, "message")
	if !g.Given {
		l.Say("%s not given at this call", what)
		return
	}
	var reasons []string
	of := map[string]int{}
	for i := g.First; i <= g.Last; i++ {
		why := s.Entry(&s.Items[i]).Reason
		if of[why]++; of[why] == 1 {
			reasons = append(reasons, why)
		}
	}
	if len(reasons) > 1 {
		for i, why := range reasons {
			reasons[i] = fmt.Sprintf("%s (%d)", why, of[why])
		}
	}
	l.Say("%s left out by %s: %s", what, g.By, l.cfg.Gate.Line(strings.Join(reasons, "; ")))
}

func (l *linear) name(it *view.Item, w view.Request) string {
	role, _ := l.msgs.Role(it, w, false)
	if it.Index < 0 {
		return string(role) + ", added"
	}
	return strconv.Itoa(int(it.Index)) + " " + string(role)
}

// calledWords reads the calls of a message.
func calledWords(s *view.Summary) string {
	var b strings.Builder
	for _, c := range s.Calls {
		state := ""
		if c.Failed {
			state = ", failed"
		} else if c.Pending {
			state = ", pending"
		}
		fmt.Fprintf(&b, " [calls %s(%s)%s]", c.Name, c.Args, state)
	}
	return b.String()
}

// marksOf says in words what the screen shows with marks.
func (l *linear) marksOf(it *view.Item, w view.Request) string {
	var list []string
	if e := l.msgs.Shown.Entry(it); e != nil && e.Fate != model.Kept {
		list = append(list, e.Fate.String())
	} else if e == nil && it.Kind == view.MessageItem {
		list = append(list, "not given at this call")
	}
	if m := w.Message; m != nil {
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

// Message reads all of a message, as the side that is read has it.
func (l *linear) Message(n int) {
	s := l.msgs.Shown
	if s == nil || n < 0 || n >= s.Thread.Len() {
		l.Say("there is no message %d", n)
		return
	}
	i := s.Find(n)
	it := &s.Items[i]
	w, ok := s.Request(it, l.side == panes.Sent)
	if !ok {
		l.Say("the provider did not see message %d at this call; as it is recorded:", n)
		w, _ = s.Request(it, false)
	}
	rd := l.reader()
	l.Say("%s%s", l.name(it, w), l.marksOf(it, w))
	l.Safe(l.cfg.Gate.Text(textOf(rd.Blocks(w))))
	if e := s.Entry(it); e != nil && e.Reason != "" {
		l.Say("%s by %s: %s", e.Fate, l.cfg.Gate.Line(e.By), l.cfg.Gate.Line(e.Reason))
	}
	l.next = i + 1
}

func (l *linear) landmark(k *panes.Landmark) {
	for i := l.next; i < l.msgs.Count; i++ {
		if k.Is(l.msgs, i) && l.has(i) {
			l.Row(i)
			l.next = i + 1
			return
		}
	}
	for i := range l.msgs.Count {
		if k.Is(l.msgs, i) {
			l.Say("no other %s; top begins anew", k.Name)
			return
		}
	}
	l.Say("there are no %s in this thread", k.All)
}

// toCall goes to a call by its name.
func (l *linear) toCall(arg string) {
	calls := len(l.threadNow().Calls)
	n, ok := callNamed(arg, calls)
	if !ok {
		l.Say("%s", noCallNamed(arg, calls))
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
			l.Say("%s", l.cfg.Gate.Line(kit.OneLine(err.Error())))
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
		l.Say("the view could not be formed: %s", l.cfg.Gate.Line(kit.OneLine(err.Error())))
		return false
	}
	l.aboutCall()
	return true
}

// Why says how the view is known, and first of a marker that was just read what it did.
func (l *linear) Why(string) {
	if i := l.next - 1; i >= 0 && i < l.msgs.Count {
		if it := &l.msgs.Shown.Items[i]; it.Kind == view.MarkerItem {
			l.facts(view.MarkerFacts(&l.msgs.Shown.Thread.Markers[it.Index], l.msgs.Shown, l.replays.Recorded, l.scene.Run))
			l.Say("of the view:")
		}
	}
	l.facts(view.ViewFacts(l.msgs.Shown, l.msgs.Shown.RecordedCall(), l.scene.Run, l.cfg.Prices))
}

func (l *linear) facts(list []view.Fact) {
	for _, f := range list {
		if f.Value != "" {
			l.Safe(l.cfg.Gate.Line(f.Key + ": " + kit.OneLine(f.Value)))
		}
	}
}

func (l *linear) findText(arg string) {
	n := kit.NewNeedle(arg)
	if n == nil {
		l.Say("find needs a text")
		return
	}
	seek := view.Seeker{Reader: l.reader(), Shown: l.msgs.Shown, Needle: n}
	count := 0
	var unread error
	for at := 0; at >= 0; {
		msg := seek.From(l.ctx, at)
		if unread == nil {
			unread = msg.Err
		}
		for _, i := range msg.List {
			if count++; count <= 5*linearPage {
				was := l.side
				if !l.has(i) {
					l.side = 1 - l.side
				}
				l.Row(i)
				l.side = was
			}
		}
		at = msg.Next
	}
	l.Say("%s found", kit.Plural(count, "row"))
	if unread != nil {
		l.Say("some texts could not be read: %s", l.cfg.Gate.Line(kit.OneLine(view.WhyUnread(unread))))
	}
}

func (l *linear) listThreads(string) {
	for i, t := range l.scene.Threads {
		l.Say("%d: %s %s, %s", i+1, t.Kind, t.Name, kit.Plural(l.scene.Run.Threads[i].Len(), "message"))
	}
}

func (l *linear) toThread(arg string) {
	n, ok := kit.ParseInt(arg)
	if !ok || n < 1 || n > len(l.scene.Threads) {
		l.Say("there is no such thread: threads lists them")
		return
	}
	l.thread = n - 1
	l.call = max(len(l.threadNow().Calls), 1)
	if l.again() {
		l.Say("this is thread %d: %s", n, l.scene.Threads[n-1].Name)
	}
}

func (l *linear) listDocuments(string) {
	for i, d := range l.scene.Docs {
		l.Say("%d: %s", i+1, d)
	}
	if len(l.scene.Docs) == 0 {
		l.Say("this run has no documents")
	}
}

func (l *linear) document(arg string) {
	n, ok := kit.ParseInt(arg)
	if !ok || n < 1 || n > len(l.scene.Docs) {
		l.Say("there is no such document: documents lists them")
		return
	}
	rd := l.reader()
	d := &l.scene.Run.Documents[n-1]
	body, err := rd.PieceTexts(append([]model.Ref{d.Body}, d.More...))
	if err != nil {
		l.Safe(l.cfg.Gate.Line(kit.OneLine(err.Error())))
		return
	}
	l.Safe(rd.Json(body))
}
