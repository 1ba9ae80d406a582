package output

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"agentlens/internal/cli/number"
	"agentlens/internal/export"
	"agentlens/internal/library/catalog"
)

// A runPrinter prints rows. It flushes after every row unless together is set.
type runPrinter struct {
	out      *bufio.Writer
	print    func(*catalog.Row) error
	total    func(*catalog.Sum) error // ends the output
	head     string                   // printed before the rows
	together bool
	begun    bool
}

// A RunForm selects the output form of runs.
type RunForm int

const (
	RunTable  RunForm = iota // one row per run
	RunObject                // one JSON object
	RunLines                 // one JSON object per run
)

func (p *runPrinter) begin() {
	if !p.begun {
		p.begun = true
		p.out.WriteString(p.head)
	}
}

func (p *runPrinter) Row(row *catalog.Row) error {
	p.begin()
	err := p.print(row)
	if err == nil && !p.together {
		err = p.out.Flush()
	}
	return err
}

// End ends the output. A total other than nil is printed after the rows.
func (p *runPrinter) End(total *catalog.Sum) error {
	p.begin()
	if err := p.total(total); err != nil {
		return err
	}
	return p.out.Flush()
}

// Broken ends the output properly after an error.
func (p *runPrinter) Broken() error {
	if !p.begun {
		return nil
	}
	return p.End(nil)
}

// NewRunPrinter returns a printer of runs. It flushes after every row unless together is set.
func NewRunPrinter(w io.Writer, how RunForm, together bool) *runPrinter {
	p := &runPrinter{out: bufio.NewWriter(w), together: together, total: func(*catalog.Sum) error { return nil }}
	out, n := p.out, 0
	object := func(row *catalog.Row) error {
		data, err := json.Marshal(export.Listed(row))
		if err != nil {
			return err
		}
		if n++; n > 1 && how == RunObject {
			out.WriteByte(',')
		}
		out.Write(data)
		if how != RunObject {
			err = out.WriteByte('\n')
		}
		return err
	}
	switch {
	case how == RunObject:
		p.print, p.head, p.total = object, `{"schema":"lens.list/1","runs":[`, func(sum *catalog.Sum) error { return totalJSON(out, sum) }
	case how == RunLines:
		p.print = object
	default:
		p.print = func(row *catalog.Row) error {
			if n++; n == 1 {
				fmt.Fprintf(out, runLine, "WHEN", "FORMAT", "STATUS", "MSGS", "CALLS", "TOKENS", "COST", "RUN", "TITLE")
			}
			_, err := fmt.Fprintf(out, runLine, when(row), row.Format, row.Status, number.Group(int64(row.Messages)), number.Group(int64(row.Calls)),
				tokenCount(row.Tokens()), row.Cost.String(), row.ID.Line(), number.Cut(row.Title.Line().String(), titleCells))
			return err
		}
		p.total = func(sum *catalog.Sum) error { return totalText(out, sum) }
	}
	return p
}

// totalText prints the sum over the rows as a footer.
func totalText(out io.Writer, sum *catalog.Sum) error {
	if sum == nil {
		return nil
	}
	copies := ""
	if sum.Copies > 0 {
		copies = fmt.Sprintf(" · %s in other files not counted again", number.Count(sum.Copies, "copied call"))
	}
	_, err := fmt.Fprintf(out, "total: %s · %s · %s tokens · %s%s\n", number.Count(sum.Runs, "run"), number.Count(sum.Calls, "call"),
		tokenCount(sum.Tokens()), sum.Cost, copies)
	return err
}

// totalJSON ends lens.list/1. The total is null if it was not requested.
func totalJSON(out io.Writer, sum *catalog.Sum) error {
	var row *sumRow
	if sum != nil {
		r := rowOf(*sum)
		row = &r
	}
	data, err := json.Marshal(row)
	if err == nil {
		_, err = fmt.Fprintf(out, "],\"total\":%s}\n", data)
	}
	return err
}

const (
	runLine    = "%-16s  %-18s  %-15s  %7s  %6s  %7s  %9s  %-36s  %s\n"
	titleCells = 60 // characters of a title in a table
)

func when(row *catalog.Row) string {
	at, ok := row.At().At()
	if !ok {
		return "–"
	}
	return at.Local().Format("2006-01-02 15:04")
}
