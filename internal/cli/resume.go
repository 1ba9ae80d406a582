package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"agentlens/internal/curate"
	"agentlens/internal/curate/lint"
	"agentlens/internal/curate/resume"
	"agentlens/internal/export"
	"agentlens/internal/model"
	"agentlens/internal/redact"
	"agentlens/internal/safe"
	"agentlens/internal/trace"
	"agentlens/internal/trace/ground/source"
)

type resumeFlags struct {
	thread, prompt, as string
	json               bool
}

func (a *app) resume() *cobra.Command {
	var f resumeFlags
	cmd := &cobra.Command{
		Use:   "resume <run>",
		Short: "What would be sent if the conversation went on",
		Long: `Print how an interrupted conversation would go on: the latest evaluation, the
calls that wait for a result, the next sequence and turn, and the messages that
would be sent. A call is done when its result is there, whatever its status
says. Exit code 1 when it cannot be resumed.

  lens resume snapshot.json
  lens resume snapshot.json --prompt agents/worker/executor
  lens resume session.jsonl --as anthropic`,
		Args: oneRun,
		RunE: func(cmd *cobra.Command, args []string) error { return a.runResume(cmd.Context(), args[0], f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.thread, "thread", "", "thread, by id or unique prefix; else the latest evaluation")
	flags.StringVar(&f.prompt, "prompt", "", "ns/key of the prompt it is to go on with; else the newest PromptRendered")
	flags.StringVar(&f.as, "as", "", "print the request messages: "+strings.Join(export.Forms(), ", "))
	flags.BoolVar(&f.json, "json", false, "print lens.resume/1")
	return cmd
}

func (a *app) runResume(ctx context.Context, name string, f resumeFlags) error {
	switch {
	case f.as != "" && !slices.Contains(export.Forms(), f.as):
		return usageError{fmt.Sprintf("--as %s: want %s", f.as, strings.Join(export.Forms(), ", "))}
	case f.as != "" && f.json:
		return usageError{"--as prints the request messages, --json the plan: name one of them"}
	}
	g, _, err := a.gate(redact.Default)
	if err != nil {
		return err
	}
	run, err := a.load(ctx, name)
	if err != nil {
		return a.notRestored(g, name, err, f)
	}
	t, err := a.resumed(run, f.thread)
	if err != nil {
		return a.notResumed(g, run, nil, err, f)
	}
	prompt, err := resume.PromptOf(run, t, f.prompt)
	if err != nil {
		return err
	}
	if err := prompt.Err(); err != nil {
		return a.notResumed(g, run, t, err, f)
	}
	r, v, err := a.nextView(ctx, g, run, t)
	if err != nil {
		return err
	}
	providers := lint.Providers()
	if f.as != "" {
		providers = []string{f.as}
	}
	plan, err := resume.Make(run, t, v, r.in.Window, providers)
	if err != nil {
		return err
	}
	switch {
	case f.as != "":
		for _, c := range plan.Pending {
			fmt.Fprintf(a.err, "lens: call %s has no result yet: it is run first, and its result goes out behind these messages\n", cleanLine(c.Call.ID))
		}
		return a.curateAs(g, r, v, f.as)
	case f.json:
		row, err := export.Resume(g, run, plan, prompt, v)
		if err != nil {
			return err
		}
		return json.NewEncoder(a.out).Encode(row)
	}
	return a.resumeText(g, r, plan, prompt, v)
}

// resumed is the thread a person names, else the one to go on with.
func (a *app) resumed(run *model.Run, name string) (*model.Thread, error) {
	if name != "" {
		return a.thread(run, name)
	}
	return resume.Latest(run)
}

// nextView is what would be sent next: the view that the record tells of, else
// the full history.
func (a *app) nextView(ctx context.Context, g *safe.Gate, run *model.Run, t *model.Thread) (*replayed, *model.View, error) {
	r, err := a.replayThread(ctx, g, run, t, nil, curateFlags{})
	if err != nil {
		return nil, nil, err
	}
	next := r.Calls() + 1
	if r.Has(next) {
		return r, r.View(next), nil
	}
	whole, err := curate.Parse("passthrough")
	if err != nil {
		return nil, nil, err
	}
	if r, err = a.replayThread(ctx, g, run, t, whole, curateFlags{}); err != nil {
		return nil, nil, err
	}
	v := r.View(next)
	v.Note = "the full history: the record tells of nothing that would be left out"
	return r, v, nil
}

// notRestored is the answer to a file that is there and cannot be read as a record.
func (a *app) notRestored(g *safe.Gate, name string, err error, f resumeFlags) error {
	var unreadable *source.UnreadableError
	path, _ := trace.SplitName(name)
	info, missing := os.Stat(path)
	file := name == "-" || missing == nil && !info.IsDir()
	if !errors.As(err, &unreadable) || errors.Is(err, trace.ErrNoRun) || !file {
		return err
	}
	failure := &resume.Error{Name: resume.SnapshotRestoreError, Message: err.Error() + "; take an earlier snapshot, or start afresh"}
	if f.json {
		if err := json.NewEncoder(a.out).Encode(export.ResumeFailed(g, nil, nil, failure)); err != nil {
			return err
		}
	}
	return failure
}

// notResumed is the answer to a conversation that cannot be gone on with: exit code 1.
func (a *app) notResumed(g *safe.Gate, run *model.Run, t *model.Thread, err error, f resumeFlags) error {
	var failure *resume.Error
	if !errors.As(err, &failure) {
		return err
	}
	if f.json {
		if err := json.NewEncoder(a.out).Encode(export.ResumeFailed(g, run, t, failure)); err != nil {
			return err
		}
	}
	return notFound{failure.Error()}
}

// resumeText prints a plan for a person.
func (a *app) resumeText(g *safe.Gate, r *replayed, p *resume.Plan, prompt resume.Prompt, v *model.View) error {
	fmt.Fprintf(a.out, "%s · %s %s · %s to send\n", g.Line(r.run.ID), p.Thread.Kind, g.Line(p.Thread.ID), countOf(v.Curated.Messages, "message"))
	fmt.Fprintf(a.out, "%s\n", g.Line(v.Note))
	fmt.Fprintf(a.out, "prompt: %s\n", g.Line(promptSentence(prompt)))
	fmt.Fprintf(a.out, "goes on at sequence %s, turn %s\n", recordedNumber(p.Sequence), recordedNumber(p.Turn))
	switch {
	case p.Paused != nil:
		fmt.Fprintf(a.out, "paused%s: a person answers before the model is asked\n", g.Line(pausedFor(p.Paused)))
	case len(p.Pending) == 0:
		fmt.Fprintln(a.out, "no call is pending: the model is asked next")
	}
	for _, c := range p.Pending {
		later := ""
		if !c.Live {
			later = "; other messages follow it, so its result comes too late for most providers"
		}
		fmt.Fprintf(a.out, "pending: call %s of message %d, %s: to be run before the model is asked%s\n", g.Line(c.Call.ID), c.Index, g.Line(c.Call.Name), later)
	}
	for _, x := range p.Problems {
		fmt.Fprintf(a.out, "! %s would refuse this: %s: %s\n", x.Provider, x.Rule, g.Line(x.Message))
	}
	a.filterText(g, p.Filtered)
	fmt.Fprintln(a.out)
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	for i := range v.Entries {
		e := &v.Entries[i]
		if e.Fate == model.WasDropped {
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

// filterText says what the specification would send in place of the messages.
func (a *app) filterText(g *safe.Gate, f *resume.Filtered) {
	if f == nil || !f.Differs() {
		return
	}
	fmt.Fprintln(a.out, "the specification sends only calls of status \"completed\"; by it these would be left out:")
	for _, o := range f.Out {
		result := "it has no result"
		if o.Answered {
			result = "its result would still be sent"
		}
		fmt.Fprintf(a.out, "  call %s of message %d, status %s: %s\n", g.Line(o.ID), o.Index, g.Line(o.Status), result)
	}
	said := map[string]bool{}
	for _, x := range f.Problems {
		if id := x.Provider + " " + x.Rule; !said[id] { // one of each says what would happen
			said[id] = true
			fmt.Fprintf(a.out, "  %s would answer: %s: %s\n", x.Provider, x.Rule, g.Line(x.Message))
		}
	}
}

// pausedFor lists what the record says of a pause.
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
