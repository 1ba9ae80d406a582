package output

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"agentlens/internal/cli/number"
	"agentlens/internal/cli/session"
	"agentlens/internal/export"
	"agentlens/internal/library/rundiff"
	"agentlens/internal/model"
	"agentlens/internal/safe"
)

// DiffText prints a view as a diff. It prints consecutive kept messages as one line.
func DiffText(to io.Writer, g *safe.Gate, r *session.Replay, v *model.View) error {
	out := bufio.NewWriterSize(to, bufferSize)
	return flushed(out, diffText(out, g, r, v))
}

func diffText(out io.Writer, g *safe.Gate, r *session.Replay, v *model.View) error {
	about := ""
	if v.Estimated {
		about = "~"
	}
	fmt.Fprintf(out, "--- %s, full history: %s, %s%s tokens\n", g.Line(r.Run.ID), number.Count(v.Original.Messages, "message"), about, number.Group(v.Original.Tokens))
	fmt.Fprintf(out, "+++ %s, %s: %s, %s%s tokens%s\n", session.CallName(v.Call, r.Calls()), r.Thread.LabelAt(v.Call, v.Basis), number.Count(v.Curated.Messages, "message"), about, number.Group(v.Curated.Tokens), unrecorded(v)+asText(v))
	kept := 0
	flush := func() {
		if kept > 0 {
			fmt.Fprintf(out, "  … %d kept\n", kept)
		}
		kept = 0
	}
	for i := range v.Entries {
		e := &v.Entries[i]
		if e.Fate == model.Kept {
			kept++
			continue
		}
		flush()
		text, err := previewOf(g, r, e)
		if err != nil {
			return err
		}
		mark := map[model.Fate]string{model.WasDropped: "-", model.WasChanged: "~", model.Added: "+", model.Unrecorded: "?"}[e.Fate]
		fmt.Fprintf(out, "%s %s%s  %s\n", mark, ofThread(e), e.Role, text)
		if reason := strings.TrimSpace(g.Line(e.Reason).String()); reason != "" {
			fmt.Fprintf(out, "    %s: %s\n", g.Line(e.By), reason)
		}
	}
	flush()
	return nil
}

// asText returns the note of a diff on a view that was sent as text.
func asText(v *model.View) string {
	if v.Form == model.TextForm {
		return ", sent as text"
	}
	return ""
}

// DiffCallsText prints two views as a diff. It prints consecutive equal messages as one line.
func DiffCallsText(out io.Writer, g *safe.Gate, r *session.Replay, views [2]*model.View) error {
	var sent [2][]*model.Entry
	for i, sign := range [...]string{"---", "+++"} {
		v := views[i]
		about := ""
		if v.Estimated {
			about = "~"
		}
		fmt.Fprintf(out, "%s %s, %s, %s: %s, %s%s tokens%s\n", sign, g.Line(r.Run.ID), session.CallName(v.Call, r.Calls()), r.Thread.LabelAt(v.Call, v.Basis), number.Count(v.Curated.Messages, "message"), about, number.Group(v.Curated.Tokens), unrecorded(v))
	}
	open := 0
	sent[0], sent[1], open = rundiff.SentBoth(views[0], views[1])
	dropped := map[int32]*model.Entry{} // dropped entries of the second view
	for i := range views[1].Entries {
		if e := &views[1].Entries[i]; e.Fate == model.WasDropped {
			dropped[e.Index] = e
		}
	}
	same := 0
	flush := func() {
		if same > 0 {
			fmt.Fprintf(out, "  … %d the same\n", same)
		}
		same = 0
	}
	for _, row := range rundiff.Views(sent[0], sent[1]) {
		if row.Kind == rundiff.Same {
			same++
			continue
		}
		flush()
		for i, at := range [...]int{row.A, row.B} {
			if at < 0 {
				continue
			}
			e := sent[i][at]
			text, err := previewOf(g, r, e)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "%c %s%s  %s\n", "-+"[i], ofThread(e), e.Role, text)
			why := e
			if i == 0 {
				why = dropped[e.Index]
			}
			if why != nil && why.Reason != "" {
				fmt.Fprintf(out, "    %s: %s\n", g.Line(why.By), g.Line(why.Reason))
			}
		}
	}
	flush()
	if open > 0 {
		fmt.Fprintf(out, "  … %d not compared: beyond the cut of the record of the other call\n", open)
	}
	return nil
}

// DiffRunsText prints two runs as a diff. It prints consecutive equal messages as one line.
func DiffRunsText(out io.Writer, g *safe.Gate, sides [2]rundiff.Side, rows []rundiff.Row, steps []rundiff.StepChange) error {
	for i, sign := range [...]string{"---", "+++"} {
		side := sides[i]
		fmt.Fprintf(out, "%s %s, thread %s: %d messages\n", sign, g.Line(side.Run.ID), g.Line(side.Thread.ID), side.Thread.Len())
	}
	for _, c := range steps {
		fmt.Fprintf(out, "~ step %d %s: %s\n", c.ID, g.Line(c.Title), c)
	}
	same := 0
	flush := func() {
		if same > 0 {
			fmt.Fprintf(out, "  … %d the same\n", same)
		}
		same = 0
	}
	for _, r := range rows {
		if r.Kind == rundiff.Same {
			same++
			continue
		}
		flush()
		for i, index := range [...]int{r.A, r.B} {
			if index < 0 {
				continue
			}
			m := sides[i].Thread.At(index)
			text, err := export.Said(sides[i].Run, m)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "%c %d %s  %s\n", "-+"[i], index+1, m.Role, g.Preview(text, previewLen))
		}
	}
	flush()
	return nil
}
