package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"agentlens/internal/cli/failure"
	"agentlens/internal/cli/output"
	"agentlens/internal/cli/session"
	"agentlens/internal/curate"
	"agentlens/internal/curate/lint"
	"agentlens/internal/curate/resume"
	"agentlens/internal/export"
	"agentlens/internal/export/request"
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

func newResume(s *session.Session) *cobra.Command {
	var f resumeFlags
	cmd := &cobra.Command{
		Use:  "resume <run>",
		Args: oneRun,
		RunE: func(cmd *cobra.Command, args []string) error { return runResume(cmd.Context(), s, args[0], f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.thread, "thread", "", "")
	flags.StringVar(&f.prompt, "prompt", "", "")
	flags.StringVar(&f.as, "as", "", "")
	flags.BoolVar(&f.json, "json", false, "")
	return cmd
}

func runResume(ctx context.Context, s *session.Session, name string, f resumeFlags) error {
	switch {
	case f.as != "" && !slices.Contains(request.Names(), f.as):
		return failure.Usagef(unknownForm, f.as, strings.Join(request.Names(), ", "))
	case f.as != "" && f.json:
		return failure.Usage(asOrJSONPlan)
	}
	g, _, err := s.Gate(redact.Default)
	if err != nil {
		return err
	}
	run, err := s.Load(ctx, name)
	if err != nil {
		return notRestored(s, g, name, err, f)
	}
	t, err := resumed(s, run, f.thread)
	if err != nil {
		return notResumed(s, g, run, nil, err, f)
	}
	prompt, err := resume.PromptOf(run, t, f.prompt)
	if err != nil {
		return err
	}
	if err := prompt.Err(); err != nil {
		return notResumed(s, g, run, t, err, f)
	}
	r, v, err := nextView(ctx, s, g, run, t)
	if err != nil {
		return err
	}
	providers := lint.Providers()
	if f.as != "" {
		providers = []string{f.as}
	}
	plan, err := resume.Make(run, t, v, r.In.Window, providers)
	if err != nil {
		return err
	}
	switch {
	case f.as != "":
		for _, c := range plan.Pending {
			fmt.Fprintf(s.Err, pendingRunsFirst, failure.CleanLine(c.Call.ID))
		}
		return curateAs(s, g, r, v, f.as)
	case f.json:
		row, err := export.Resume(g, run, plan, prompt, v)
		if err != nil {
			return err
		}
		return json.NewEncoder(s.Out).Encode(row)
	}
	return output.ResumeText(s.Out, g, r, plan, prompt, v)
}

// resumed returns the named thread. Without a name, it returns the thread to resume.
func resumed(s *session.Session, run *model.Run, name string) (*model.Thread, error) {
	if name != "" {
		return s.Thread(run, name)
	}
	return resume.Latest(run)
}

// nextView returns the view of the next call: the recorded or reconstructed view, or else the full history.
func nextView(ctx context.Context, s *session.Session, g *safe.Gate, run *model.Run, t *model.Thread) (*session.Replay, *model.View, error) {
	r, err := s.ReplayThread(ctx, g, run, t, nil, session.ReplayOptions{})
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
	if r, err = s.ReplayThread(ctx, g, run, t, whole, session.ReplayOptions{}); err != nil {
		return nil, nil, err
	}
	v := r.View(next)
	v.Note = "the full history: the record tells of nothing that would be left out"
	return r, v, nil
}

// notRestored returns the error for a file that exists but is not readable as a record.
func notRestored(s *session.Session, g *safe.Gate, name string, err error, f resumeFlags) error {
	var unreadable *source.UnreadableError
	path, _ := trace.SplitName(name)
	info, missing := os.Stat(path)
	file := name == "-" || missing == nil && !info.IsDir()
	if !errors.As(err, &unreadable) || errors.Is(err, trace.ErrNoRun) || !file {
		return err
	}
	fault := &resume.Error{Name: resume.SnapshotRestoreError, Message: err.Error() + "; take an earlier snapshot, or start afresh"}
	if f.json {
		if err := json.NewEncoder(s.Out).Encode(export.ResumeFailed(g, nil, nil, fault)); err != nil {
			return err
		}
	}
	return fault
}

// notResumed returns the error for a conversation that cannot be resumed. Its exit code is 1.
func notResumed(s *session.Session, g *safe.Gate, run *model.Run, t *model.Thread, err error, f resumeFlags) error {
	var fault *resume.Error
	if !errors.As(err, &fault) {
		return err
	}
	if f.json {
		if err := json.NewEncoder(s.Out).Encode(export.ResumeFailed(g, run, t, fault)); err != nil {
			return err
		}
	}
	return failure.No(fault.Error())
}
