package output

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"agentlens/internal/cli/number"
	"agentlens/internal/cli/session"
	"agentlens/internal/curate/resume"
	"agentlens/internal/model"
	"agentlens/internal/safe"
)

// ResumeText prints a resume plan.
func ResumeText(out io.Writer, g *safe.Gate, r *session.Replay, p *resume.Plan, prompt resume.Prompt, v *model.View) error {
	fmt.Fprintf(out, "%s · %s %s · %s to send\n", g.Line(r.Run.ID), p.Thread.Kind, g.Line(p.Thread.ID), number.Count(v.Curated.Messages, "message"))
	fmt.Fprintf(out, "%s\n", g.Line(v.Note))
	fmt.Fprintf(out, "prompt: %s\n", g.Line(promptSentence(prompt)))
	fmt.Fprintf(out, "goes on at sequence %s, turn %s\n", recordedNumber(p.Sequence), recordedNumber(p.Turn))
	switch {
	case p.Paused != nil:
		fmt.Fprintf(out, "paused%s: a person answers before the model is asked\n", g.Line(pausedFor(p.Paused)))
	case len(p.Pending) == 0:
		fmt.Fprintln(out, "no call is pending: the model is asked next")
	}
	for _, c := range p.Pending {
		later := ""
		if !c.Live {
			later = "; other messages follow it, so its result comes too late for most providers"
		}
		fmt.Fprintf(out, "pending: call %s of message %d, %s: to be run before the model is asked%s\n", g.Line(c.Call.ID), c.Index, g.Line(c.Call.Name), later)
	}
	for _, x := range p.Problems {
		fmt.Fprintf(out, "! %s would refuse this: %s: %s\n", x.Provider, x.Rule, g.Line(x.Message))
	}
	filterText(out, g, p.Filtered)
	fmt.Fprintln(out)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for i := range v.Entries {
		e := &v.Entries[i]
		if !e.Sent() {
			continue
		}
		text, err := previewOf(g, r, e)
		if err != nil {
			return err
		}
		index := "+"
		if e.Index >= 0 {
			index = fmt.Sprint(e.Index)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", index, e.Role, text)
	}
	return w.Flush()
}

// filterText prints what the status filter of the specification would drop.
func filterText(out io.Writer, g *safe.Gate, f *resume.Filtered) {
	if f == nil || !f.Differs() {
		return
	}
	fmt.Fprintln(out, "the specification sends only calls of status \"completed\"; by it these would be left out:")
	for _, o := range f.Out {
		result := "it has no result"
		if o.Answered {
			result = "its result would still be sent"
		}
		fmt.Fprintf(out, "  call %s of message %d, status %s: %s\n", g.Line(o.ID), o.Index, g.Line(o.Status), result)
	}
	said := map[string]bool{}
	for _, x := range f.Problems {
		if id := x.Provider + " " + x.Rule; !said[id] { // report each rule of a provider once
			said[id] = true
			fmt.Fprintf(out, "  %s would answer: %s: %s\n", x.Provider, x.Rule, g.Line(x.Message))
		}
	}
}

// pausedFor returns the recorded details of a pause.
func pausedFor(m *model.Marker) string {
	var facts []string
	for _, d := range m.Detail {
		facts = append(facts, fmt.Sprintf("%s %v", d.Key, d.Value))
	}
	if len(facts) == 0 {
		return ""
	}
	return " (" + strings.Join(facts, ", ") + ")"
}

func promptSentence(p resume.Prompt) string {
	recorded := p.Recorded
	if recorded == "" {
		recorded = "not recorded"
	}
	switch matches, known := p.Matches(); {
	case known && matches:
		return recorded + ", the same as " + p.From
	case p.Against == "":
		return recorded + "; held against nothing, --prompt names the one it is to go on with"
	}
	return recorded + "; not held against " + p.From + " " + p.Against
}

func recordedNumber(m model.Maybe) string {
	n, ok := m.Get()
	if !ok {
		return "(not recorded)"
	}
	return fmt.Sprint(n)
}
