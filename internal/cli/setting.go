package cli

import (
	"fmt"

	"agentlens/internal/cli/failure"
	"agentlens/internal/cli/output"
	"agentlens/internal/cli/session"
	"agentlens/internal/curate/settings"
	"agentlens/internal/redact"
)

// strategyTo prints a chain as a setting of another program.
func strategyTo(s *session.Session, dialect, text string, asJSON bool) error {
	chain, err := s.Chain(text)
	if err != nil {
		return err
	}
	setting, lost, err := settings.Write(dialect, chain)
	if err != nil {
		return failure.Usage(err.Error())
	}
	return printSetting(s, settings.Reading{Dialect: dialect, Chain: chain.String(), Notes: lost}, &setting, asJSON)
}

// strategyFrom prints a setting as a chain.
func strategyFrom(s *session.Session, file string, asJSON bool) error {
	r, err := session.ReadSetting(file)
	if err != nil {
		return err
	}
	return printSetting(s, r, nil, asJSON)
}

// printSetting prints a chain as a setting of another program. If setting is nil, it prints the chain that was
// read from a setting, and the sources of turns that the setting names.
func printSetting(s *session.Session, r settings.Reading, setting *string, asJSON bool) error {
	g, _, err := s.Gate(redact.Default)
	if err != nil {
		return err
	}
	if asJSON {
		return output.SettingJSON(s.Out, g, r.Dialect, r.Chain, r.Turns, setting, r.Notes)
	}
	if setting != nil {
		fmt.Fprintf(s.Out, "%s", g.Text(*setting))
	} else {
		fmt.Fprintf(s.Out, "%s\n", g.Line(r.Chain))
	}
	if r.Turns != "" {
		fmt.Fprintf(s.Err, settingTurns, failure.CleanLine(r.Turns))
	}
	for _, l := range r.Notes {
		fmt.Fprintf(s.Err, lostSetting, failure.CleanLine(l))
	}
	return nil
}
