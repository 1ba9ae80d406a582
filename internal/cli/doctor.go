package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"agentlens/internal/library/catalog"
	"agentlens/internal/model"
	"agentlens/internal/redact"
	"agentlens/internal/safe"
	"agentlens/internal/trace"
)

// diagnosis is lens.doctor/1: what was found, and what could not be read, with why.
type diagnosis struct {
	Schema   string          `json:"schema"`
	Files    int             `json:"files"`
	Runs     int             `json:"runs"`
	Formats  []formatCount   `json:"formats"`
	Unread   []faultRow      `json:"unread"`   // sources that could not be read
	Unknown  []safe.SafeJSON `json:"unknown"`  // files that are no record lens reads
	Warnings []warningRow    `json:"warnings"` // by file
}

type formatCount struct {
	Name  string `json:"name"`
	Files int    `json:"files"`
	Runs  int    `json:"runs"`
}

type faultRow struct {
	Path   safe.SafeJSON `json:"path"`
	Reason safe.SafeJSON `json:"reason"`
}

type warningRow struct {
	Path    safe.SafeJSON `json:"path"`
	Code    string        `json:"code"`
	Message safe.SafeJSON `json:"message"`
	Where   safe.SafeJSON `json:"where"`
}

func (a *app) doctor() *cobra.Command {
	var asJSON, codes bool
	cmd := &cobra.Command{
		Use:   "doctor [source…]",
		Short: "What was found here, and what could not be read, with the reasons",
		Long: `Read everything lens finds on this machine, or in the sources named, and say what
it is, what could not be read and why, and what was noticed on the way. Exit
code 1 when something could not be read.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if codes {
				return a.printCodes(asJSON)
			}
			return a.runDoctor(cmd.Context(), args, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print lens.doctor/1")
	cmd.Flags().BoolVar(&codes, "codes", false, "list the warning codes with an explanation of each")
	return cmd
}

// warningCodes is lens.codes/1: the codes of warnings.
type warningCodes struct {
	Schema string    `json:"schema"`
	Codes  []codeRow `json:"codes"`
}

type codeRow struct {
	Code string `json:"code"`
	Help string `json:"help"`
}

func (a *app) printCodes(asJSON bool) error {
	list := warningCodes{Schema: "lens.codes/1"}
	for _, c := range model.WarningCodes() {
		list.Codes = append(list.Codes, codeRow{c.Name, c.Help})
	}
	if asJSON {
		return json.NewEncoder(a.out).Encode(list)
	}
	for _, c := range list.Codes {
		if _, err := fmt.Fprintf(a.out, "%-18s %s\n", c.Code, c.Help); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) runDoctor(ctx context.Context, args []string, asJSON bool) error {
	g, _, err := a.gate(redact.Default)
	if err != nil {
		return err
	}
	chosen, err := a.choose(ctx, args)
	if err != nil {
		return err
	}
	d := diagnosis{Schema: "lens.doctor/1", Formats: []formatCount{}, Unread: []faultRow{}, Unknown: []safe.SafeJSON{}, Warnings: []warningRow{}}
	for _, f := range chosen.faults {
		d.Unread = append(d.Unread, faultRow{g.JSON(f.Path), g.JSON(f.Err.Error())})
	}
	take := func(r catalog.Result) error { d.add(g, r); return nil }
	for _, src := range chosen.opened {
		take(catalog.Read(ctx, g, src))
	}
	if err := catalog.Scan(ctx, g, &catalog.Cache{}, chosen.files, take); err != nil {
		return err
	}
	if asJSON {
		err = json.NewEncoder(a.out).Encode(d)
	} else {
		err = a.printDiagnosis(&d)
	}
	if err == nil && len(d.Unread) > 0 {
		return errFound
	}
	return err
}

func (d *diagnosis) add(g *safe.Gate, r catalog.Result) {
	path := g.JSON(r.File.Path)
	d.Files++
	d.Runs += len(r.Rows)
	if len(r.Rows) > 0 {
		name := r.Rows[0].Format
		i := slices.IndexFunc(d.Formats, func(f formatCount) bool { return f.Name == name })
		if i < 0 {
			i = len(d.Formats)
			d.Formats = append(d.Formats, formatCount{Name: name})
		}
		d.Formats[i].Files++
		d.Formats[i].Runs += len(r.Rows)
	}
	switch {
	case errors.Is(r.Err, trace.ErrUnknown):
		d.Unknown = append(d.Unknown, path)
	case r.Err != nil:
		reason := strings.TrimPrefix(r.Err.Error(), r.File.Path+": ")
		d.Unread = append(d.Unread, faultRow{path, g.JSON(reason)})
	}
	for _, w := range r.Warnings {
		d.Warnings = append(d.Warnings, warningRow{path, w.Code.String(), g.JSON(w.Message), g.JSON(w.Where)})
	}
}

func (a *app) printDiagnosis(d *diagnosis) error {
	fmt.Fprintf(a.out, "%s looked at, %s in %s\n", countOf(d.Files, "file"), countOf(d.Runs, "run"), countOf(len(d.Formats), "format"))
	for _, f := range d.Formats {
		fmt.Fprintf(a.out, "  %-19s %5d files  %6d runs\n", f.Name, f.Files, f.Runs)
	}
	if len(d.Unread) > 0 {
		fmt.Fprintf(a.out, "\ncould not be read: %d\n", len(d.Unread))
		for _, f := range d.Unread {
			fmt.Fprintf(a.out, "  %s\n      %s\n", f.Path.Line(), f.Reason.Line())
		}
	}
	if len(d.Warnings) > 0 {
		fmt.Fprintf(a.out, "\nnoticed: %d\n", len(d.Warnings))
		for _, w := range d.Warnings {
			fmt.Fprintf(a.out, "  %s\n      %s\n", w.Path.Line(), w.Message.Line())
		}
	}
	if len(d.Unknown) > 0 {
		fmt.Fprintf(a.out, "\nno record lens reads: %d\n", len(d.Unknown))
		for _, path := range d.Unknown {
			fmt.Fprintf(a.out, "  %s\n", path.Line())
		}
	}
	cache := "there is no cache: neither XDG_CACHE_HOME nor HOME names a folder"
	if folder := cacheFolder(os.Getenv); folder != "" {
		cache = "the cache is in " + cleanLine(folder)
	}
	_, err := fmt.Fprintf(a.out, "\nlens formats says what is read and from where; %s\n", cache)
	return err
}
