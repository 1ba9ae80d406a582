package reach

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"agentlens/internal/cli/failure"
)

// row is a row in lens.self/1.
type row struct {
	Does   string  `json:"does"`
	What   string  `json:"what"`
	When   *string `json:"when"`
	Path   *string `json:"path"`
	Exists *bool   `json:"exists"`
}

// JSON prints the table as lens.self/1, with the paths of this machine.
func JSON(out io.Writer, env func(string) string) error {
	doc := struct {
		Schema string `json:"schema"`
		Rows   []row  `json:"rows"`
	}{Schema: "lens.self/1"}
	for _, r := range Table() {
		one := row{Does: r.Does, What: r.What}
		if r.When != "" {
			one.When = &r.When
		}
		if at := r.Where(env); at != "" {
			at, exists := failure.CleanLine(at), isThere(at)
			one.Path, one.Exists = &at, &exists
		}
		doc.Rows = append(doc.Rows, one)
	}
	return json.NewEncoder(out).Encode(doc)
}

// Print prints the table with the paths of this machine.
func Print(out io.Writer, env func(string) string) (err error) {
	say := func(format string, args ...any) {
		if err == nil {
			_, err = fmt.Fprintf(out, format, args...)
		}
	}
	for i, kind := range Kinds() {
		if i > 0 {
			say("\n")
		}
		say("lens %s\n", kind)
		for _, r := range Table() {
			if r.Does != kind {
				continue
			}
			say("  %s\n", r.What)
			if r.When != "" {
				say("      when: %s\n", r.When)
			}
			if at := r.Where(env); at != "" {
				missing := ""
				if !isThere(at) {
					missing = " (does not exist)"
				}
				say("      where: %s%s\n", failure.CleanLine(at), missing)
			}
		}
	}
	return err
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
