package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"agentlens/internal/curate"
)

func (a *app) strategies() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "strategies [name]",
		Short: "The strategies and presets, with their parameters",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			specs := curate.Specs()
			if len(args) == 1 {
				chain, err := a.parse(args[0])
				if err != nil {
					return err
				}
				specs = specs[:0]
				for _, c := range chain {
					specs = append(specs, *c.Spec)
				}
			}
			if asJSON {
				return a.strategiesJSON(specs)
			}
			return a.strategiesText(specs, len(args) == 0)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print lens.strategies/1")
	return cmd
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
	for _, p := range append(curate.Presets(), settings.OwnPresets()...) {
		fmt.Fprintf(a.out, "%s\n    %s (%s)\n\n", p.Name, p.Chain, p.Whose)
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
