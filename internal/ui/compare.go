package ui

import (
	"context"
	"errors"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/curate"
	"agentlens/internal/curate/lint"
	"agentlens/internal/curate/models"
	"agentlens/internal/curate/score"
	"agentlens/internal/export"
	"agentlens/internal/model"
	"agentlens/internal/ui/job"
)

// This file holds the chains a person tried against each other, and against the record
// and the named chains, over every call of the thread.

// A contender is one row: a chain and what it comes to.
type contender struct {
	chain  string // "" is the record
	told   words  // the chain, through the gate
	name   words  // of a named chain
	now    bool   // it is on the screen
	scored bool
	why    words // why it could not be scored
	score.Score
	// here is what the call on the screen is sent; nil where that is not known.
	here *model.Tally
}

// compareView is a table of contenders, which fills while it is looked at.
type compareView struct {
	rows   []contender // in the order of the screen
	cursor int
	sort   int // column, -1: as they came
	top    int
	high   int // rows that fit
	failed bool
	title  words
	contest
}

// contest is what contenders are scored with.
type contest struct {
	in       curate.Input
	call     int
	presets  []curate.Preset
	prices   func(modelName string) models.Prices
	gated    func(s string) words
	evidence *curate.Evidence
}

// compared is a contender that was scored.
type compared struct {
	evidence *curate.Evidence
	row      contender
	err      error
}

// scoreNext scores the next row in a job, and those after it.
func (v *compareView) scoreNext(h host) tea.Cmd {
	score := v.next()
	if score == nil {
		return nil
	}
	return h.start(job.Key{Kind: "compare", Of: v}, func(ctx context.Context) func() tea.Cmd {
		c := score(ctx)
		return func() tea.Cmd {
			if v.take(c); c.err != nil {
				h.fail(notComparable, c.err)
			}
			return v.scoreNext(h)
		}
	})
}

// next returns what scores the first row that is not scored yet, nil where all are.
func (v *compareView) next() func(ctx context.Context) compared {
	i := slices.IndexFunc(v.rows, func(c contender) bool { return !c.scored && c.why == "" })
	if i < 0 || v.failed {
		return nil
	}
	row, c := v.rows[i], v.contest
	return func(ctx context.Context) compared {
		var err error
		if c.evidence == nil {
			if c.evidence, err = curate.FindEvidence(ctx, c.in.Run, c.in.Thread); err != nil {
				return compared{err: err}
			}
		}
		err = c.judge(ctx, &row)
		return compared{c.evidence, row, err}
	}
}

// judge scores a contender over all calls.
func (c *contest) judge(ctx context.Context, row *contender) error {
	opt := score.Options{Prices: c.prices, Evidence: c.evidence, Linter: lint.New(c.in.Run, c.in.Thread, c.in.Window), Providers: lint.Providers(), Look: score.Looked}
	of, err := c.replay(ctx, row.chain)
	var cannot *curate.BuildError
	switch {
	case errors.As(err, &cannot):
		row.why = c.gated(cannot.Error())
		return nil
	case errors.Is(err, errProgram):
		row.why = "it runs a program at every call: lens compare does that"
		return nil
	case err != nil:
		return err
	}
	if row.Score, _, err = score.Of(ctx, c.in, of, opt); err != nil {
		return err
	}
	if row.Calls == 0 {
		row.why = "not recorded at any call"
		return nil
	}
	row.scored = true
	if of.Has(c.call) {
		_, here := of.Tally(c.call)
		row.here = &here
	}
	return nil
}

// errProgram says that a chain is not replayed here, for the program it runs.
var errProgram = errors.New("the chain runs a program")

func (c *contest) replay(ctx context.Context, text string) (*curate.Replayed, error) {
	if text == "" {
		return curate.Recorded(ctx, c.in)
	}
	chain, err := curate.Parse(text)
	if err != nil {
		return nil, err
	}
	if len(chain.Programs()) > 0 {
		return nil, errProgram
	}
	return curate.Replay(ctx, c.in, chain)
}

// take takes a row over.
func (v *compareView) take(msg compared) {
	if v.failed = msg.err != nil; v.failed {
		return
	}
	v.evidence = msg.evidence
	if i := slices.IndexFunc(v.rows, func(c contender) bool { return c.chain == msg.row.chain }); i >= 0 {
		v.rows[i] = msg.row
	}
	v.arrange()
}

// A chainIntent shows a chain, "" for the record.
type chainIntent struct{ chain string }

func (chainIntent) intent() {}

// try closes the table and shows the chain under the cursor.
func (v *compareView) try(h host) tea.Cmd {
	chain := v.rows[v.cursor].chain
	return closeThen(h, func() tea.Cmd { return h.ask(chainIntent{chain}) })
}

// copy copies the table, as it is.
func (v *compareView) copy(h host) tea.Cmd {
	text, gate := v.plain(), h.gate()
	return h.ask(yankIntent{"the table", func() (export.Safe, error) { return gate.Text(text), nil }})
}
