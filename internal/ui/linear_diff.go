package ui

import (
	"errors"
	"fmt"
	"strings"

	"agentlens/internal/ui/worddiff"
)

// diff reads what differs: the full history against the view, with "next" this call
// against the next, with "call 3" against that one, with anything else this run against
// that one.
func (l *linear) diff(arg string) {
	v, err := l.diffOf(arg)
	if err != nil {
		l.say("these cannot be compared: %s", l.cfg.Gate.Line(oneLine(err.Error())))
		return
	}
	l.say("%s%s: %s", v.title, v.name, v.summary)
	for i := range v.texts {
		l.diffRow(v, &v.texts[i])
	}
	if v.left > 0 {
		l.say("%s are left out: there are too many", plural(v.left, "more row"))
	}
}

// diffOf compares what diff is asked for.
func (l *linear) diffOf(arg string) (*diffView, error) {
	s, rd := l.msgs.shown, l.reader()
	mode, other := fullAgainstView, l.call+1
	switch {
	case strings.HasPrefix(arg, "call "):
		n, ok := callNamed(strings.TrimSpace(arg[len("call "):]), len(s.thread.Calls))
		if !ok {
			return nil, errors.New(string(noCallNamed(arg[len("call "):], len(s.thread.Calls))))
		}
		mode, other = callAgainstCall, n
	case arg == "next" && l.call > len(s.thread.Calls):
		return nil, fmt.Errorf("this is the call after the record: there is none after it")
	case arg == "next":
		mode = callAgainstNext
	case arg != "" && l.cfg.Open == nil:
		return nil, fmt.Errorf("no other run can be opened here")
	case arg != "":
		return diffRuns(l.ctx, rd, s.tokens, otherRun{name: arg, typed: "diff"}, l.cfg.Open)
	}
	return diffOf(l.ctx, l.query(s.thread, l.call), rd, mode, other)
}

var rowKindWords = [...]string{sameRow: "", changedRow: "changed: ", goneRow: "gone: ", newRow: "new: "}

// diffRow reads one row, and of a changed message the lines that changed.
func (l *linear) diffRow(v *diffView, t *diffText) {
	if t.row.broke {
		l.say("the prefix breaks here: from here on nothing cached of the call before can be used")
	}
	says := rowKindWords[t.row.kind] + string(v.rowWords(&t.row))
	if t.row.kind != changedRow {
		for _, parts := range t.lines {
			says += (&line{parts: parts}).words()
		}
		l.say("%s", strings.TrimSpace(says))
		return
	}
	l.say("%s", says)
	leftOut := func(n int) {
		if n > 0 {
			l.say("  %s left out here", plural(n, "line"))
		}
	}
	for i, parts := range t.lines {
		leftOut(t.fold[i])
		var b strings.Builder
		touched := false
		for _, p := range parts {
			text := p.text.String()[p.from:p.to]
			switch p.kind {
			case worddiff.Deleted:
				text, touched = "[removed: "+text+"]", true
			case worddiff.Inserted:
				text, touched = "[added: "+text+"]", true
			}
			b.WriteString(text)
		}
		if touched {
			l.say("  %s", b.String())
		}
	}
	leftOut(t.more)
}
