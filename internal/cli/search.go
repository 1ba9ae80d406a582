package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"agentlens/internal/export"
	"agentlens/internal/library/match"
	"agentlens/internal/library/search"
	"agentlens/internal/model"
	"agentlens/internal/redact"
	"agentlens/internal/safe"
	"agentlens/internal/trace"
)

type searchFlags struct {
	regexp, json, count, files bool
	failed                     bool
	role, tool                 string
	perRun                     int
}

func (a *app) search() *cobra.Command {
	var f searchFlags
	cmd := &cobra.Command{
		Use:   "search [PATTERN] [source…]",
		Short: "Look for a text in the messages of all runs; exit 1 when it is nowhere",
		Long: `Search texts, thinking, tool calls and results of the runs of this machine, or of
the sources named. Letters match in either case unless the pattern holds a
capital. What a mask covers is not found.

With --failed: only results of failed tool calls, or the calls where there is no
result. The pattern may be left out then; a first word that names a file, a folder,
demo or latest is a source.

  lens search 'connection refused' --role tool
  lens search -e 'exit code [1-9]' ~/traces --tool Bash
  lens search --failed run.jsonl`,
		Args: func(cmd *cobra.Command, args []string) error {
			if !f.failed && (len(args) == 0 || args[0] == "") {
				return usageError{"lens search needs a pattern; see lens search --help"}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 || f.failed && namesSource(args[0]) {
				return a.runSearch(cmd.Context(), "", args, f)
			}
			return a.runSearch(cmd.Context(), args[0], args[1:], f)
		},
	}
	flags := cmd.Flags()
	flags.BoolVarP(&f.regexp, "regexp", "e", false, "the pattern is a regular expression")
	flags.BoolVar(&f.failed, "failed", false, "only messages that tell of a failed tool call")
	flags.StringVar(&f.role, "role", "", "only messages of: system, user, assistant, tool")
	flags.StringVar(&f.tool, "tool", "", "only calls to this tool, and their results")
	flags.IntVarP(&f.perRun, "max-count", "m", 0, "no more than so many hits of a run")
	flags.BoolVarP(&f.count, "count", "c", false, "print how many messages of each source hold it")
	flags.BoolVarP(&f.files, "files", "l", false, "print the sources that hold it")
	flags.BoolVar(&f.json, "json", false, "print one hit of lens.search/1 per line")
	return cmd
}

// namesSource reports whether a word names what can be searched: a file, a folder, or a
// run that is there without a file.
func namesSource(word string) bool {
	path, _ := trace.SplitName(word)
	_, err := os.Stat(path)
	return err == nil || slices.Contains([]string{"demo", "latest", "-"}, path)
}

func (f *searchFlags) query(pattern string) (*search.Query, error) {
	q := &search.Query{Tool: f.tool, PerRun: f.perRun, Failed: f.failed}
	switch {
	case pattern == "" && f.failed:
	case !f.regexp:
		q.Match = match.Literal(pattern)
	default:
		var err error
		if q.Match, err = match.Regexp(pattern); err != nil {
			return nil, usageError{err.Error()}
		}
	}
	if f.files {
		q.PerRun = 1
	}
	if f.role == "" {
		return q, nil
	}
	q.RoleSet = true
	for _, role := range []model.Role{model.System, model.User, model.Assistant, model.Tool} {
		if role.String() == f.role {
			q.Role = role
			return q, nil
		}
	}
	return nil, usageError{fmt.Sprintf("--role %s: want system, user, assistant or tool", f.role)}
}

func (a *app) runSearch(ctx context.Context, pattern string, sources []string, f searchFlags) error {
	if f.json && f.count || f.json && f.files || f.count && f.files {
		return usageError{"--json prints hits, --count their numbers, --files the sources: name one of them"}
	}
	if f.perRun < 0 {
		return usageError{"--max-count wants a number that is not negative"}
	}
	q, err := f.query(pattern)
	if err != nil {
		return err
	}
	g, _, err := a.gate(redact.Default)
	if err != nil {
		return err
	}
	chosen, err := a.choose(ctx, sources)
	if err != nil {
		return err
	}
	p := hitPrinter{app: a, flags: f, colour: a.colours(), seen: chosen.tally()}
	bar := a.progress(sizeOf(chosen.files))
	defer bar.end()
	take := func(r search.Result) error {
		if r.Err != nil && chosen.alone {
			return r.Err
		}
		return p.take(r)
	}
	for _, src := range chosen.opened {
		if err := take(search.Source(ctx, g, q, src)); err != nil {
			return err
		}
	}
	err = search.Files(ctx, g, q, chosen.files, func(r search.Result) error {
		bar.add(r.File.Size)
		return bar.aside(func() error { return take(r) })
	})
	if err != nil {
		return err
	}
	bar.aside(func() error { p.seen.say(a.err); return nil })
	if p.hits == 0 {
		return errFound
	}
	return nil
}

// colours reports whether matches may be coloured.
func (a *app) colours() bool {
	return a.outTerminal() && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// A hitPrinter prints hits as they come.
type hitPrinter struct {
	app    *app
	flags  searchFlags
	colour bool
	hits   int
	last   string // source and run of the hit before
	seen   tally
}

func (p *hitPrinter) take(r search.Result) error {
	if r.Err != nil && !errors.Is(r.Err, trace.ErrUnknown) {
		p.seen.unread, p.seen.last = p.seen.unread+1, r.Err
	}
	if len(r.Hits) == 0 {
		return nil
	}
	p.hits += len(r.Hits)
	out := p.app.out
	switch source := r.Hits[0].Source.Line(); {
	case p.flags.files:
		_, err := fmt.Fprintln(out, source)
		return err
	case p.flags.count:
		_, err := fmt.Fprintf(out, "%s:%d\n", source, len(r.Hits))
		return err
	}
	for i := range r.Hits {
		if err := p.hit(&r.Hits[i]); err != nil {
			return err
		}
	}
	return nil
}

func (p *hitPrinter) hit(h *search.Hit) error {
	out := p.app.out
	if p.flags.json {
		return json.NewEncoder(out).Encode(hitRow(h))
	}
	if head := h.Source.String() + h.RunID.String(); head != p.last {
		if p.last != "" {
			fmt.Fprintln(out)
		}
		p.last = head
		fmt.Fprintf(out, "%s#%s · %s · %s\n", h.Source.Line(), h.RunID.Line(), h.Format, cut(h.Title.Line().String(), titleCells))
	}
	text, on, off := h.Snippet.String(), "", ""
	if p.colour {
		on, off = "\x1b[1;33m", "\x1b[0m"
	}
	who := h.Role.String()
	if tool := h.Tool.Line().String(); tool != "" {
		who += " " + tool
	}
	_, err := fmt.Fprintf(out, "%6d %s: %s%s%s%s%s\n", h.Index, who, text[:h.From], on, text[h.From:h.To], off, text[h.To:])
	return err
}

// hitRow is a hit of lens.search/1; null is what a message does not have.
func hitRow(h *search.Hit) any {
	var tool *safe.SafeJSON
	if h.Tool.String() != `""` {
		tool = &h.Tool
	}
	return struct {
		Schema  string         `json:"schema"`
		RunID   safe.SafeJSON  `json:"run_id"`
		Source  safe.SafeJSON  `json:"source"`
		Format  string         `json:"format"`
		Title   safe.SafeJSON  `json:"title"`
		Thread  safe.SafeJSON  `json:"thread_id"`
		Index   int            `json:"index"`
		Role    string         `json:"role"`
		Tool    *safe.SafeJSON `json:"tool_name"`
		Part    string         `json:"part"`
		At      *string        `json:"at"`
		Snippet string         `json:"snippet"`
	}{
		"lens.search/1", h.RunID, h.Source, h.Format, h.Title, h.Thread, h.Index, h.Role.String(), tool, h.Part,
		export.Stamp(h.At), h.Snippet.String(),
	}
}
