package inspector

import (
	"errors"
	"fmt"
	"strings"

	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/screens/diff"
	"agentlens/internal/ui/worddiff"
)

// diff reads what differs: the full history against the view, with "next" this call
// against the next, with "call 3" against that one, with anything else this run against
// that one.
func (l *linear) diff(arg string) {
	v, err := l.diffOf(arg)
	if err != nil {
		l.Say("these cannot be compared: %s", l.cfg.Gate.Line(kit.OneLine(err.Error())))
		return
	}
	l.Say("%s%s: %s", v.Title, v.Name, v.Summary)
	for i := range v.Texts {
		l.diffRow(v, &v.Texts[i])
	}
	if v.Left > 0 {
		l.Say("%s are left out: there are too many", kit.Plural(v.Left, "more row"))
	}
}

// diffOf compares what diff is asked for.
func (l *linear) diffOf(arg string) (*diff.Diff, error) {
	s, rd := l.msgs.Shown, l.reader()
	mode, other := diff.FullAgainstView, l.call+1
	switch {
	case strings.HasPrefix(arg, "call "):
		n, ok := callNamed(strings.TrimSpace(arg[len("call "):]), len(s.Thread.Calls))
		if !ok {
			return nil, errors.New(string(noCallNamed(arg[len("call "):], len(s.Thread.Calls))))
		}
		mode, other = diff.CallAgainstCall, n
	case arg == "next" && l.call > len(s.Thread.Calls):
		return nil, fmt.Errorf("this is the call after the record: there is none after it")
	case arg == "next":
		mode = diff.CallAgainstNext
	case arg != "" && l.cfg.Open == nil:
		return nil, fmt.Errorf("no other run can be opened here")
	case arg != "":
		return diff.Runs(l.ctx, rd, s.Tokens, diff.OtherRun{Name: arg, Typed: "diff"}, l.cfg.Open)
	}
	return diff.Of(l.ctx, l.query(s.Thread, l.call), rd, mode, other)
}

var rowKindWords = [...]string{diff.SameRow: "", diff.ChangedRow: "changed: ", diff.GoneRow: "gone: ", diff.NewRow: "new: "}

// diffRow reads one row, and of a changed message the lines that changed.
func (l *linear) diffRow(v *diff.Diff, t *diff.DiffText) {
	if t.Row.Broke {
		l.Say("the prefix breaks here: from here on nothing cached of the call before can be used")
	}
	says := rowKindWords[t.Row.Kind] + string(v.RowWords(&t.Row))
	if t.Row.Kind != diff.ChangedRow {
		for _, parts := range t.Lines {
			says += (&kit.Line{Parts: parts}).Words()
		}
		l.Say("%s", strings.TrimSpace(says))
		return
	}
	l.Say("%s", says)
	leftOut := func(n int) {
		if n > 0 {
			l.Say("  %s left out here", kit.Plural(n, "line"))
		}
	}
	for i, parts := range t.Lines {
		leftOut(t.Fold[i])
		var b strings.Builder
		touched := false
		for _, p := range parts {
			text := p.Text.String()[p.From:p.To]
			switch p.Kind {
			case worddiff.Deleted:
				text, touched = "[removed: "+text+"]", true
			case worddiff.Inserted:
				text, touched = "[added: "+text+"]", true
			}
			b.WriteString(text)
		}
		if touched {
			l.Say("  %s", b.String())
		}
	}
	leftOut(t.More)
}
