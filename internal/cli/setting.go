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
	return printSetting(s, dialect, chain.String(), &setting, lost, asJSON)
}

// strategyFrom prints a setting as a chain.
func strategyFrom(s *session.Session, file string, asJSON bool) error {
	r, err := session.ReadSetting(file)
	if err != nil {
		return err
	}
	return printSetting(s, r.Dialect, r.Chain, nil, r.Notes, asJSON)
}

// printSetting prints a chain as a setting of another program. If setting is nil, it prints the chain that was
// read from a setting.
func printSetting(s *session.Session, dialect, chain string, setting *string, lost []string, asJSON bool) error {
	g, _, err := s.Gate(redact.Default)
	if err != nil {
		return err
	}
	if asJSON {
		return output.SettingJSON(s.Out, g, dialect, chain, setting, lost)
	}
	if setting != nil {
		fmt.Fprintf(s.Out, "%s", g.Text(*setting))
	} else {
		fmt.Fprintf(s.Out, "%s\n", g.Line(chain))
	}
	for _, l := range lost {
		fmt.Fprintf(s.Err, lostSetting, failure.CleanLine(l))
	}
	return nil
}
