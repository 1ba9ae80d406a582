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
	out        *bufio.Writer
	print      func(*catalog.Row) error
	head, tail string // printed before and after the rows
	together   bool
	begun      bool
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

func (p *runPrinter) End() error {
	p.begin()
	p.out.WriteString(p.tail)
	return p.out.Flush()
}

// Broken ends the output properly after an error.
func (p *runPrinter) Broken() error {
	if !p.begun {
		return nil
	}
	return p.End()
}

// NewRunPrinter returns a printer of runs. It flushes after every row unless together is set.
func NewRunPrinter(w io.Writer, how RunForm, together bool) *runPrinter {
	p := &runPrinter{out: bufio.NewWriter(w), together: together}
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
		p.print, p.head, p.tail = object, `{"schema":"lens.list/1","runs":[`, "]}\n"
	case how == RunLines:
		p.print = object
	default:
		p.print = func(row *catalog.Row) error {
			if n++; n == 1 {
				fmt.Fprintf(out, runLine, "WHEN", "FORMAT", "STATUS", "MSGS", "CALLS", "TOKENS", "COST", "RUN", "TITLE")
			}
			_, err := fmt.Fprintf(out, runLine, when(row), row.Format, row.Status, number.Group(int64(row.Messages)), number.Group(int64(row.Calls)),
				tokenCount(row.Tokens()), catalog.Cost(row.Usage), row.ID.Line(), number.Cut(row.Title.Line().String(), titleCells))
			return err
		}
	}
	return p
}

const (
	runLine    = "%-16s  %-18s  %-15s  %7s  %6s  %7s  %8s  %-36s  %s\n"
	titleCells = 60 // characters of a title in a table
)

func when(row *catalog.Row) string {
	at, ok := row.At().At()
	if !ok {
		return "–"
	}
	return at.Local().Format("2006-01-02 15:04")
}
