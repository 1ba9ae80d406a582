package cli

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"agentlens/internal/cli/failure"
	"agentlens/internal/cli/help"
	"agentlens/internal/cli/session"
	"agentlens/internal/export"
	"agentlens/internal/export/request"
	"agentlens/internal/model"
	"agentlens/internal/redact"
	"agentlens/internal/safe"
	"agentlens/internal/ui/inspection"
)

type exportFlags struct {
	format, output string
	curateFlags
}

func newExport(s *session.Session) *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:  "export <run>",
		Args: oneRun,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.output == "" && cmd.Flags().Changed("output") {
				return failure.Usage(emptyOutput)
			}
			return runExport(cmd.Context(), s, args[0], f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.format, "format", "", "")
	flags.StringVarP(&f.output, "output", "o", "", "")
	flags.StringVar(&f.Thread, "thread", "", "")
	flags.StringVar(&f.Call, "call", "", "")
	flags.StringVar(&f.Strategy, "strategy", "", "")
	strategyFileFlag(s, cmd, &f.file)
	f.Programs.Add(flags)
	return cmd
}

func runExport(ctx context.Context, s *session.Session, name string, f exportFlags) error {
	form, err := exportFormat(f.format, f.output)
	if err != nil {
		return err
	}
	if f.Strategy, err = s.ChainText(f.Strategy, f.file); err != nil {
		return err
	}
	if f.Call == "all" {
		return failure.Usage(exportOfOneCall)
	}
	g, _, err := s.Gate(redact.Strict)
	if err != nil {
		return err
	}
	work, err := documentOf(ctx, s, g, name, f, form.OfView)
	if err == nil {
		work.Prices, err = s.Prices()
	}
	if err != nil {
		return err
	}
	if work.Windows, err = s.Windows(); err != nil {
		return err
	}
	var lost []request.Loss
	write := func(w io.Writer) error {
		lost, err = form.Write(writesUntil{ctx, w}, g, work)
		return err
	}
	if f.output == "" {
		err = write(s.Out)
	} else {
		err = writeNew(f.output, write)
	}
	if err != nil {
		return err
	}
	printLosses(s.Err, lost)
	printMasked(s.Err, g.Found())
	return nil
}

// documentOf returns the document to export: a run, one of its threads, or the view of a call,
// which ofView asks for.
func documentOf(ctx context.Context, s *session.Session, g *safe.Gate, name string, f exportFlags, ofView bool) (*export.Document, error) {
	tables, err := tablesOf(s)
	if err != nil {
		return nil, err
	}
	if ofView || f.Call != "" || f.Strategy != "" {
		r, err := s.Replay(ctx, g, name, f.ReplayOptions)
		if err != nil {
			return nil, err
		}
		n, err := r.Known(f.Call)
		if err != nil {
			return nil, err
		}
		r.PrintChoice(s.Err, f.Call, n)
		return &export.Document{Run: r.Run, Threads: []*model.Thread{r.Thread}, View: r.View(n), Strategy: r.Strategy, Tables: tables}, nil
	}
	run, err := s.Load(ctx, name)
	if err != nil {
		return nil, err
	}
	if f.Thread == "" {
		return &export.Document{Run: run, Threads: run.Threads, Tables: tables}, nil
	}
	t, err := s.Thread(run, f.Thread)
	return &export.Document{Run: run, Threads: []*model.Thread{t}, Tables: tables}, err
}

// exportFormat returns the named format. Without a name, it returns the format with the longest ending that
// matches path, or else the default.
func exportFormat(name, path string) (export.Format, error) {
	if name == "" {
		return append(export.FormatOf(path, true), export.Formats()[0])[0], nil
	}
	for _, f := range export.Formats() {
		if name == f.Name {
			return f, nil
		}
	}
	return export.Format{}, failure.Usagef(unknownExportFormat, name, help.Formats())
}

// exporterOf returns the function that the inspector calls to export a document.
func exporterOf(s *session.Session) func(ctx context.Context, work *export.Document, form export.Format, path string) (inspection.Exported, error) {
	return func(ctx context.Context, work *export.Document, form export.Format, path string) (inspection.Exported, error) {
		return exportTo(ctx, s, work, form, path)
	}
}

// exportTo writes a document to a new file, with the redaction level of lens export. It returns [fs.ErrExist] if
// the file exists.
func exportTo(ctx context.Context, s *session.Session, work *export.Document, form export.Format, path string) (inspection.Exported, error) {
	g, level, err := s.Gate(redact.Strict)
	if err == nil {
		work.Prices, err = s.Prices()
	}
	if err != nil {
		return inspection.Exported{}, err
	}
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		home, err := os.UserHomeDir()
		if err != nil {
			return inspection.Exported{}, err
		}
		path = filepath.Join(home, rest)
	}
	if path, err = filepath.Abs(path); err != nil {
		return inspection.Exported{}, err
	}
	if _, err := os.Lstat(path); err == nil {
		return inspection.Exported{Path: path}, fs.ErrExist
	}
	done := inspection.Exported{Path: path, Level: level.String()}
	err = writeNew(path, func(w io.Writer) error {
		done.Lost, err = form.Write(writesUntil{ctx, w}, g, work)
		return err
	})
	for _, f := range g.Found() {
		done.Masked += f.Count
	}
	return done, err
}

// writesUntil is a writer that fails once its context has ended.
type writesUntil struct {
	ctx context.Context
	w   io.Writer
}

func (u writesUntil) Write(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.w.Write(p)
}

// writeNew writes a new file, and removes the file if writing fails.
func writeNew(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if os.IsExist(err) {
		return failure.Usagef(fileExists, path)
	}
	if err != nil {
		return err
	}
	err = write(f)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		os.Remove(path)
	}
	return err
}
