package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"agentlens/internal/export"
	"agentlens/internal/model"
	"agentlens/internal/redact"
	"agentlens/internal/ui"
)

func (a *app) export() *cobra.Command {
	var format, output, thread string
	cmd := &cobra.Command{
		Use:   "export <run>",
		Short: "A redacted transcript to share",
		Long: `Write a run as Markdown, as a page that stands alone or as JSON, secrets masked
at level strict unless --level says otherwise, to standard output or to --output
(never over an existing file), whose ending names the format too.

  lens export run.jsonl --output run.html`,
		Args: oneRun,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.runExport(cmd.Context(), args[0], format, output, thread)
		},
	}
	cmd.Flags().StringVar(&format, "format", "", strings.Join(formatNames(), ", ")+" (default: by the ending of --output, else md)")
	cmd.Flags().StringVarP(&output, "output", "o", "", "file to write; it must not exist")
	cmd.Flags().StringVar(&thread, "thread", "", "one thread, by id or unique prefix; else all of them")
	return cmd
}

func (a *app) runExport(ctx context.Context, name, format, output, thread string) error {
	form, err := exportFormat(format, output)
	if err != nil {
		return err
	}
	g, _, err := a.gate(redact.Strict)
	if err != nil {
		return err
	}
	run, err := a.load(ctx, name)
	if err != nil {
		return err
	}
	var only *model.Thread
	if thread != "" {
		if only, err = a.thread(run, thread); err != nil {
			return err
		}
	}
	write := func(w io.Writer) error { return form.Write(writesUntil{ctx, w}, g, run, only) }
	if output == "" {
		err = write(a.out)
	} else {
		err = writeNew(output, write)
	}
	if err != nil {
		return err
	}
	return a.masked(g.Found())
}

func formatNames() []string {
	var names []string
	for _, f := range export.Formats() {
		names = append(names, f.Name)
	}
	return names
}

// exportFormat is the format that is named, else that of the ending of a path, else
// the first one.
func exportFormat(name, path string) (export.Format, error) {
	for _, f := range export.Formats() {
		if name == f.Name || name == "" && path != "" && strings.HasSuffix(strings.ToLower(path), f.Ending) {
			return f, nil
		}
	}
	if name != "" {
		return export.Format{}, usageError{fmt.Sprintf("--format %s: want %s", name, strings.Join(formatNames(), ", "))}
	}
	return export.Formats()[0], nil
}

// exporter writes a run from within the inspector, through a gate as strict as that of
// lens export, to a file that must not be there yet: [fs.ErrExist] where it is.
func (a *app) exporter(ctx context.Context, run *model.Run, form export.Format, path string) (ui.Exported, error) {
	g, level, err := a.gate(redact.Strict)
	if err != nil {
		return ui.Exported{}, err
	}
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		home, err := os.UserHomeDir()
		if err != nil {
			return ui.Exported{}, err
		}
		path = filepath.Join(home, rest)
	}
	if path, err = filepath.Abs(path); err != nil {
		return ui.Exported{}, err
	}
	if _, err := os.Lstat(path); err == nil {
		return ui.Exported{Path: path}, fs.ErrExist
	}
	err = writeNew(path, func(w io.Writer) error {
		return form.Write(writesUntil{ctx, w}, g, run, nil)
	})
	masked := 0
	for _, f := range g.Found() {
		masked += f.Count
	}
	return ui.Exported{Path: path, Level: level.String(), Masked: masked}, err
}

// writesUntil is a writer that writes nothing more once its context has ended.
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

// masked says on stderr what was masked, by rule and never by value.
func (a *app) masked(found []export.Found) error {
	for _, f := range found {
		fmt.Fprintf(a.err, "lens: masked %d %s (%d distinct)\n", f.Count, f.Rule, f.Distinct)
	}
	return nil
}

// writeNew writes a file that must not be there yet; what fails half-way is
// removed again.
func writeNew(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if os.IsExist(err) {
		return usageError{fmt.Sprintf("%s exists already; lens never writes over a file", path)}
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
