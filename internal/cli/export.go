package cli

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
	"agentlens/internal/safe"
	"agentlens/internal/ui/inspector"
)

type exportFlags struct {
	format, output string
	curateFlags
}

func (a *app) export() *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "export <run>",
		Short: "A redacted transcript to share",
		Long: `Write a run as Markdown, as a page that stands alone or as JSON, secrets masked
at level strict unless --level says otherwise, to standard output or to --output
(never over an existing file), whose ending names the format too.

With --call or --strategy it is what one call was sent, or would have been: what
was dropped and changed is told in its place. The formats of providers are its
request messages.

  lens export run.jsonl --output run.html
  lens export run.jsonl --call 37 --strategy 'sliding_window(20)' --output call37.md
  lens export run.jsonl --call 37 --format anthropic`,
		Args: oneRun,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.output == "" && cmd.Flags().Changed("output") {
				return usageError{"--output is empty: name a new file, or leave it out for standard output"}
			}
			return a.runExport(cmd.Context(), args[0], f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.format, "format", "", strings.Join(formatNames(), ", ")+" (default: by the ending of --output, else md)")
	flags.StringVarP(&f.output, "output", "o", "", "file to write; it must not exist")
	flags.StringVar(&f.thread, "thread", "", "one thread, by id or unique prefix; else all of them")
	flags.StringVar(&f.call, "call", "", "what this call was sent: 1…n, first, last or next, the one after the record")
	flags.StringVar(&f.strategy, "strategy", "", "what the call would have been sent by this chain")
	strategyFileFlag(cmd, &f.file)
	f.programs.add(flags)
	return cmd
}

func (a *app) runExport(ctx context.Context, name string, f exportFlags) error {
	form, err := exportFormat(f.format, f.output)
	if err != nil {
		return err
	}
	if f.strategy, err = a.chainOf(f.strategy, f.file); err != nil {
		return err
	}
	if form.OfView && f.call == "" && f.strategy == "" {
		return usageError{fmt.Sprintf("--format %s is what one call was sent: name it with --call (1…n, first, last, next)", form.Name)}
	}
	if f.call == "all" {
		return usageError{"--call all: an export holds one call; lens curate --call all --json prints them all"}
	}
	g, _, err := a.gate(redact.Strict)
	if err != nil {
		return err
	}
	work, err := a.work(ctx, g, name, f)
	if err != nil {
		return err
	}
	var lost []export.Loss
	write := func(w io.Writer) error {
		lost, err = form.Write(writesUntil{ctx, w}, g, work)
		return err
	}
	if f.output == "" {
		err = write(a.out)
	} else {
		err = writeNew(f.output, write)
	}
	if err != nil {
		return err
	}
	a.sayLost(lost)
	a.masked(g.Found())
	return nil
}

// work is what is exported: a run, one thread of it, or the view of a call.
func (a *app) work(ctx context.Context, g *safe.Gate, name string, f exportFlags) (*export.Work, error) {
	if f.call != "" || f.strategy != "" {
		r, err := a.replay(ctx, g, name, f.curateFlags)
		if err != nil {
			return nil, err
		}
		n, err := r.known(f.call)
		if err != nil {
			return nil, err
		}
		return &export.Work{Run: r.run, Threads: []*model.Thread{r.thread}, View: r.View(n), Strategy: r.strategy}, nil
	}
	run, err := a.load(ctx, name)
	if err != nil {
		return nil, err
	}
	if f.thread == "" {
		return &export.Work{Run: run, Threads: run.Threads}, nil
	}
	t, err := a.thread(run, f.thread)
	return &export.Work{Run: run, Threads: []*model.Thread{t}}, err
}

// formatNames are those of the formats that a command can name.
func formatNames() []string {
	var names []string
	for _, f := range export.Formats() {
		names = append(names, f.Name)
	}
	return names
}

// exportFormat is the format that is named, else that of the ending of a path, the
// longest that fits, else the first one.
func exportFormat(name, path string) (export.Format, error) {
	if name == "" {
		return append(export.FormatOf(path, true), export.Formats()[0])[0], nil
	}
	for _, f := range export.Formats() {
		if name == f.Name {
			return f, nil
		}
	}
	return export.Format{}, usageError{fmt.Sprintf("--format %s: want %s", name, strings.Join(formatNames(), ", "))}
}

// exporter writes a work from within the inspector, through a gate as strict as that of
// lens export, to a file that must not be there yet: [fs.ErrExist] where it is.
func (a *app) exporter(ctx context.Context, work *export.Work, form export.Format, path string) (inspector.Exported, error) {
	g, level, err := a.gate(redact.Strict)
	if err != nil {
		return inspector.Exported{}, err
	}
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		home, err := os.UserHomeDir()
		if err != nil {
			return inspector.Exported{}, err
		}
		path = filepath.Join(home, rest)
	}
	if path, err = filepath.Abs(path); err != nil {
		return inspector.Exported{}, err
	}
	if _, err := os.Lstat(path); err == nil {
		return inspector.Exported{Path: path}, fs.ErrExist
	}
	done := inspector.Exported{Path: path, Level: level.String()}
	err = writeNew(path, func(w io.Writer) error {
		done.Lost, err = form.Write(writesUntil{ctx, w}, g, work)
		return err
	})
	for _, f := range g.Found() {
		done.Masked += f.Count
	}
	return done, err
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

// sayLost says on stderr what a provider's form does not carry over.
func (a *app) sayLost(lost []export.Loss) {
	for _, l := range lost {
		fmt.Fprintf(a.err, "lens: not carried over as it was, %d ×: %s\n", l.Count, l.What)
	}
}

// masked says on stderr what was masked, by rule and never by value.
func (a *app) masked(found []safe.Found) {
	for _, f := range found {
		fmt.Fprintf(a.err, "lens: masked %d %s (%d distinct)\n", f.Count, f.Rule, f.Distinct)
	}
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
