package cli

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"agentlens/internal/cli/help"
	"agentlens/internal/cli/output"
	"agentlens/internal/cli/session"
	"agentlens/internal/curate"
	"agentlens/internal/curate/audit"
	"agentlens/internal/export/request"
	"agentlens/internal/library/catalog"
	"agentlens/internal/redact"
	"agentlens/internal/trace"
	"agentlens/internal/ui/kit"
)

// completeWithin limits the time for completing run ids.
const completeWithin = 2 * time.Second

// A completer returns the completions of a prefix. args are the arguments before it.
type completer func(ctx context.Context, args []string, begun string) []string

// addCompletions registers the completions of flags and arguments of every command.
func addCompletions(s *session.Session, root *cobra.Command) {
	byFlag := map[string]completer{
		"strategy": bind(s, completeChain),
		"thread":   bind(s, completeThread),
		"theme":    fixed(kit.Themes()...),
		"level":    fixed("off", "default", "strict"),
		"as":       fixed(request.Names()...),
		"format":   fixed(readerNames()...),
		"by":       fixed(catalog.Groups()...),
		"sort":     fixed(catalog.Orders()...),
		"call":     fixed("first", "last", "next"),
		"fail-on":  fixed(audit.Kinds()...),
		"role":     fixed("system", "user", "assistant", "tool"),
		"status":   fixed(strings.Split(help.Statuses(), ", ")...),
	}
	own := map[string]completer{"check format": fixed(output.CheckForms()...), "export format": fixed(strings.Split(help.Formats(), ", ")...)}
	for _, cmd := range append(root.Commands(), root) {
		for name, c := range byFlag {
			if o := own[cmd.Name()+" "+name]; o != nil {
				c = o
			}
			if cmd.Flags().Lookup(name) != nil || cmd.PersistentFlags().Lookup(name) != nil {
				_ = cmd.RegisterFlagCompletionFunc(name, func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
					how := cobra.ShellCompDirectiveNoFileComp
					if name == "strategy" { // a bracket or a bar may follow
						how |= cobra.ShellCompDirectiveNoSpace
					}
					return c(cmd.Context(), args, begun), how
				})
			}
		}
		switch {
		case strings.Contains(cmd.Use, "<run>"), strings.Contains(cmd.Use, "[source…]"):
			cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
				return completeRun(cmd.Context(), s, args, begun), cobra.ShellCompDirectiveDefault // and files
			}
		case cmd.Name() == "strategies":
			cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
				return completeChain(cmd.Context(), s, args, begun), cobra.ShellCompDirectiveNoFileComp
			}
		}
	}
}

// bind returns a completer that calls complete with session s.
func bind(s *session.Session, complete func(ctx context.Context, s *session.Session, args []string, begun string) []string) completer {
	return func(ctx context.Context, args []string, begun string) []string {
		return complete(ctx, s, args, begun)
	}
}

func fixed(list ...string) completer {
	return func(_ context.Context, _ []string, begun string) []string { return beginWith(begun, list) }
}

func beginWith(begun string, list []string) []string {
	var fit []string
	for _, s := range list {
		if strings.HasPrefix(s, begun) {
			fit = append(fit, s)
		}
	}
	return fit
}

func readerNames() []string {
	var list []string
	for _, f := range trace.Formats() {
		list = append(list, f.Name)
	}
	return list
}

// completeChain returns the strategies and presets that can be the last stage.
func completeChain(_ context.Context, s *session.Session, _ []string, begun string) []string {
	at := strings.LastIndexByte(begun, '|') + 1
	for at < len(begun) && begun[at] == ' ' {
		at++
	}
	var names []string
	for _, spec := range curate.Specs() {
		names = append(names, begun[:at]+spec.Name)
	}
	presets := curate.Presets()
	if own, err := s.Settings(); err == nil {
		presets = append(presets, own.OwnPresets()...)
	}
	for _, p := range presets {
		names = append(names, begun[:at]+p.Name)
	}
	return beginWith(begun, names)
}

// completeRun returns the ids of the runs of this machine. The shell completes paths.
func completeRun(ctx context.Context, s *session.Session, _ []string, begun string) []string {
	list := beginWith(begun, []string{"latest", "demo"})
	if strings.ContainsAny(begun, "./~") {
		return list
	}
	ctx, stop := context.WithTimeout(ctx, completeWithin)
	defer stop()
	g, _, err := s.Gate(redact.Default)
	if err != nil {
		return list
	}
	c, err := s.Sources(ctx, nil)
	if err != nil {
		return list
	}
	s.Err = io.Discard // no warnings during completion
	_ = s.Scan(ctx, g, c, false, s.Err, func(row catalog.Row) error {
		list = append(list, beginWith(begun, []string{row.ID.Line().String()})...)
		return nil
	})
	return list
}

// completeThread returns the threads of the run named by an earlier argument.
func completeThread(ctx context.Context, s *session.Session, args []string, begun string) []string {
	if len(args) == 0 {
		return nil
	}
	g, _, err := s.Gate(redact.Default)
	if err != nil {
		return nil
	}
	s.Err = io.Discard
	run, err := s.Load(ctx, args[0])
	if err != nil {
		return nil
	}
	var ids []string
	for _, t := range run.Threads {
		ids = append(ids, g.Line(t.ID).String())
	}
	return beginWith(begun, ids)
}
