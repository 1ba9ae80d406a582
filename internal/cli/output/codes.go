package output

import (
	"encoding/json"
	"fmt"
	"io"

	"agentlens/internal/model"
)

// Codes is lens.codes/1: the warning codes.
type Codes struct {
	Schema string    `json:"schema"`
	Codes  []CodeRow `json:"codes"`
}

// CodeRow explains one warning code.
type CodeRow struct {
	Code string `json:"code"`
	Help string `json:"help"`
}

// PrintCodes prints the warning codes, one per line or as JSON.
func PrintCodes(out io.Writer, asJSON bool) error {
	list := Codes{Schema: "lens.codes/1"}
	for _, c := range model.WarningCodes() {
		list.Codes = append(list.Codes, CodeRow{c.Name, c.Help})
	}
	if asJSON {
		return json.NewEncoder(out).Encode(list)
	}
	for _, c := range list.Codes {
		if _, err := fmt.Fprintf(out, "%-18s %s\n", c.Code, c.Help); err != nil {
			return err
		}
	}
	return nil
}
