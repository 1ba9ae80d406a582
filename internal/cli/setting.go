package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"agentlens/internal/curate"
	"agentlens/internal/curate/settings"
	"agentlens/internal/redact"
	"agentlens/internal/safe"
)

// strategyFileFlag adds --strategy-file, beside --strategy.
func strategyFileFlag(cmd *cobra.Command, file *string) {
	cmd.Flags().StringVar(file, "strategy-file", "", "read the chain from a setting: FILE or FILE#loop; lens strategies --help lists the kinds")
}

// chainOf is the chain a command is given, as a text or by a file of settings.
// What of a setting is not carried over goes to stderr.
func (a *app) chainOf(chain, file string) (string, error) {
	if file == "" {
		return chain, nil
	}
	if chain != "" {
		return "", usageError{"--strategy and --strategy-file both name a chain: give one of them"}
	}
	r, err := readSetting(file)
	if err != nil {
		return "", err
	}
	fmt.Fprintf(a.err, "lens: %s, a setting of kind %s, is the chain: %s\n", cleanLine(file), r.Dialect, cleanLine(r.Chain))
	for _, note := range r.Notes {
		fmt.Fprintf(a.err, "lens: note: %s\n", cleanLine(note))
	}
	return r.Chain, nil
}

// readSetting reads the setting that FILE or FILE#part names.
func readSetting(file string) (settings.Reading, error) {
	part := ""
	f, err := os.Open(file)
	if os.IsNotExist(err) {
		if i := strings.LastIndexByte(file, '#'); i > 0 {
			file, part = file[:i], file[i+1:]
			f, err = os.Open(file)
		}
	}
	if err != nil {
		return settings.Reading{}, usageError{fmt.Sprintf("strategy file: %v", err)}
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, settings.MaxSize+1))
	if err != nil {
		return settings.Reading{}, usageError{fmt.Sprintf("strategy file: %v", err)}
	}
	r, err := settings.Read(string(data), part)
	var syntax *curate.SyntaxError
	if err != nil && !(errors.As(err, &syntax) && r.Dialect == "chain" && len(data) < longestPicture) {
		err = usageError{fmt.Sprintf("%s: %v", file, err)}
	}
	return r, err
}

// longestPicture is how long a chain in a file may be for its faults to be shown
// with a caret below them, in bytes.
const longestPicture = 2000

// strategySettingRow is lens.setting/1: a chain as a setting, or a setting as a chain.
type strategySettingRow struct {
	Schema  string          `json:"schema"`
	Dialect string          `json:"dialect"`
	Chain   safe.SafeJSON   `json:"chain"`
	Setting *safe.SafeJSON  `json:"setting"`
	Lost    []safe.SafeJSON `json:"lost"`
}

// strategyTo prints a chain as a setting of another program.
func (a *app) strategyTo(dialect, text string, asJSON bool) error {
	chain, err := a.parse(text)
	if err != nil {
		return err
	}
	setting, lost, err := settings.Write(dialect, chain)
	if err != nil {
		return usageError{err.Error()}
	}
	return a.setting(dialect, chain.String(), &setting, lost, asJSON)
}

// strategyFrom prints the chain that a setting is.
func (a *app) strategyFrom(file string, asJSON bool) error {
	r, err := readSetting(file)
	if err != nil {
		return err
	}
	return a.setting(r.Dialect, r.Chain, nil, r.Notes, asJSON)
}

func (a *app) setting(dialect, chain string, setting *string, lost []string, asJSON bool) error {
	g, _, err := a.gate(redact.Default)
	if err != nil {
		return err
	}
	if asJSON {
		row := strategySettingRow{Schema: "lens.setting/1", Dialect: dialect, Chain: g.JSON(chain), Lost: []safe.SafeJSON{}}
		if setting != nil {
			safe := g.JSON(*setting)
			row.Setting = &safe
		}
		for _, l := range lost {
			row.Lost = append(row.Lost, g.JSON(l))
		}
		return json.NewEncoder(a.out).Encode(row)
	}
	if setting != nil {
		fmt.Fprintf(a.out, "%s", g.Text(*setting))
	} else {
		fmt.Fprintf(a.out, "%s\n", g.Line(chain))
	}
	for _, l := range lost {
		fmt.Fprintf(a.err, "lens: lost: %s\n", cleanLine(l))
	}
	return nil
}
