package output

import (
	"encoding/json"
	"fmt"
	"io"

	"agentlens/internal/cli/number"
	"agentlens/internal/export"
	"agentlens/internal/library/search"
	"agentlens/internal/safe"
)

// A HitPrinter prints hits as they arrive.
type HitPrinter struct {
	Out    io.Writer
	How    HitForm
	Colour bool
	last   string // source and run of the previous hit
}

// A HitForm selects the output form of hits.
type HitForm int

const (
	HitLines   HitForm = iota // text, grouped by run
	HitJSON                   // one object per line
	HitCounts                 // the number of hits of each source
	HitSources                // the sources alone
)

// Print prints the hits of one source.
func (p *HitPrinter) Print(hits []search.Hit) error {
	if len(hits) == 0 {
		return nil
	}
	switch source := hits[0].Source.Line(); p.How {
	case HitSources:
		_, err := fmt.Fprintln(p.Out, source)
		return err
	case HitCounts:
		_, err := fmt.Fprintf(p.Out, "%s:%d\n", source, len(hits))
		return err
	}
	for i := range hits {
		if err := p.hit(&hits[i]); err != nil {
			return err
		}
	}
	return nil
}

func (p *HitPrinter) hit(h *search.Hit) error {
	out := p.Out
	if p.How == HitJSON {
		return json.NewEncoder(out).Encode(hitRow(h))
	}
	if head := h.Source.String() + h.RunID.String(); head != p.last {
		if p.last != "" {
			fmt.Fprintln(out)
		}
		p.last = head
		cost := ""
		if h.Cost.Known() {
			cost = " · " + h.Cost.String()
		}
		fmt.Fprintf(out, "%s#%s · %s · %s%s\n", h.Source.Line(), h.RunID.Line(), h.Format, number.Cut(h.Title.Line().String(), titleCells), cost)
	}
	text, on, off := h.Snippet.String(), "", ""
	if p.Colour {
		on, off = "\x1b[1;33m", "\x1b[0m"
	}
	who := h.Role.String()
	if tool := h.Tool.Line().String(); tool != "" {
		who += " " + tool
	}
	_, err := fmt.Fprintf(out, "%6d %s: %s%s%s%s%s\n", h.Index+1, who, text[:h.From], on, text[h.From:h.To], off, text[h.To:])
	return err
}

// hitRow returns a hit in the form of lens.search/1. A field is null if the message has no such value.
func hitRow(h *search.Hit) any {
	var tool *safe.SafeJSON
	if h.Tool.String() != `""` {
		tool = &h.Tool
	}
	var source *string
	if name := h.Cost.Source(); name != "" {
		source = &name
	}
	return struct {
		Schema string        `json:"schema"`
		RunID  safe.SafeJSON `json:"run_id"`
		Source safe.SafeJSON `json:"source"`
		Format string        `json:"format"`
		Title  safe.SafeJSON `json:"title"`
		Thread safe.SafeJSON `json:"thread_id"`
		export.Place
		Role    string         `json:"role"`
		Tool    *safe.SafeJSON `json:"tool_name"`
		Part    string         `json:"part"`
		At      *string        `json:"at"`
		Snippet string         `json:"snippet"`
		// RunCost is what the run cost in US dollars.
		RunCost       *float64 `json:"run_cost_usd"`
		RunCostSource *string  `json:"run_cost_source"`
	}{
		"lens.search/1", h.RunID, h.Source, h.Format, h.Title, h.Thread, export.At(h.Index), h.Role.String(), tool, h.Part,
		export.Stamp(h.At), h.Snippet.String(), h.Cost.USD(), source,
	}
}
