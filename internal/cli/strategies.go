package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"agentlens/internal/curate"
	"agentlens/internal/curate/settings"
	"agentlens/internal/redact"
)

func (a *app) strategies() *cobra.Command {
	var asJSON bool
	var to, from string
	cmd := &cobra.Command{
		Use:   "strategies [name or chain]",
		Short: "The strategies and presets, with their parameters; chains as other programs' settings",
		Long:  strategiesHelp(),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usageError{"lens strategies takes one name or chain; a chain with spaces stands in quotes"}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case to != "" && from != "", from != "" && len(args) > 0:
				return usageError{"--from reads a setting, --to writes the chain beside it: name one of them"}
			case from != "":
				return a.strategyFrom(from, asJSON)
			case to != "" && len(args) == 0:
				return usageError{fmt.Sprintf("--to %s needs the chain to write: lens strategies --to %s 'clear_tool_uses'", to, to)}
			case to != "":
				return a.strategyTo(to, args[0], asJSON)
			}
			specs, err := a.specsOf(args)
			if err != nil {
				return err
			}
			if asJSON {
				return a.strategiesJSON(specs)
			}
			return a.strategiesText(specs, len(args) == 0)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print lens.strategies/1, or lens.setting/1 with --to and --from")
	cmd.Flags().StringVar(&to, "to", "", "print the chain as a setting of: "+strings.Join(settings.Writable(), ", "))
	cmd.Flags().StringVar(&from, "from", "", "print the chain that a setting is: FILE, or FILE#loop for one of several")
	return cmd
}

// specsOf are the strategies that are asked for: all, the one of a bare name, or those of
// a chain.
func (a *app) specsOf(args []string) ([]curate.Spec, error) {
	all := curate.Specs()
	if len(args) == 0 {
		return all, nil
	}
	for i := range all {
		if all[i].Name == strings.TrimSpace(args[0]) {
			return all[i : i+1], nil
		}
	}
	chain, err := a.parse(args[0])
	var specs []curate.Spec
	for _, c := range chain {
		specs = append(specs, *c.Spec)
	}
	return specs, err
}

// strategiesHelp lists the kinds of settings that are read and written.
func strategiesHelp() string {
	var b strings.Builder
	b.WriteString("List the strategies and presets with their parameters, or turn a chain into a\nsetting of another program and back. What a setting cannot hold is said on stderr.\n\nKinds of settings:\n")
	for _, d := range settings.Dialects() {
		fmt.Fprintf(&b, "  %-16s %s\n", d.Name, d.About)
	}
	b.WriteString("\n  lens strategies --to anthropic 'clear_tool_uses(50k, keep=5, sticky=false)'\n  lens strategies --from pipeline.yaml#clarification_loop\n  lens curate run.jsonl --strategy-file pipeline.yaml#clarification_loop")
	return b.String()
}

func (a *app) strategiesText(specs []curate.Spec, presets bool) error {
	for _, s := range specs {
		fmt.Fprintf(a.out, "%s\n    %s (%s)\n", s.Name, s.Summary, s.Whose)
		for i, p := range s.Params {
			name := p.Name
			if i == 0 {
				name += " (first)"
			}
			value := p.Default
			if p.Required {
				value = "required"
			}
			if p.Unit != curate.None {
				value += " " + string(p.Unit)
			}
			fmt.Fprintf(a.out, "    %-18s %-22s %s\n", name, value, p.Help)
		}
		fmt.Fprintln(a.out)
	}
	if !presets {
		return nil
	}
	settings, err := a.settings()
	if err != nil {
		return err
	}
	g, _, err := a.gate(redact.Default)
	if err != nil {
		return err
	}
	for _, p := range append(curate.Presets(), settings.OwnPresets()...) {
		fmt.Fprintf(a.out, "%s\n    %s (%s)\n\n", g.Line(p.Name), g.Line(p.Chain), p.Whose)
	}
	return nil
}

type paramRow struct {
	Name     string   `json:"name"`
	Default  string   `json:"default"`
	Unit     string   `json:"unit"`
	Words    []string `json:"words"`
	Required bool     `json:"required"`
	Help     string   `json:"help"`
}

type strategyRow struct {
	Name     string     `json:"name"`
	Summary  string     `json:"summary"`
	Whose    string     `json:"whose"`
	Stateful bool       `json:"stateful"`
	Params   []paramRow `json:"params"`
}

func (a *app) strategiesJSON(specs []curate.Spec) error {
	out := struct {
		Schema     string        `json:"schema"`
		Strategies []strategyRow `json:"strategies"`
	}{Schema: "lens.strategies/1", Strategies: []strategyRow{}}
	for _, s := range specs {
		row := strategyRow{Name: s.Name, Summary: s.Summary, Whose: s.Whose, Stateful: s.Stateful, Params: []paramRow{}}
		for _, p := range s.Params {
			words := p.Words
			if words == nil {
				words = []string{}
			}
			row.Params = append(row.Params, paramRow{p.Name, p.Default, string(p.Unit), words, p.Required, p.Help})
		}
		out.Strategies = append(out.Strategies, row)
	}
	return json.NewEncoder(a.out).Encode(out)
}
