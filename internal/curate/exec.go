package curate

import (
	"encoding/json"
	"fmt"

	"agentlens/internal/model"
)

var execSpec = Spec{
	Name:    "exec",
	Summary: "What a program of yours prints: it gets the view as a JSON list of chat messages on its input and prints one. It may drop messages, change texts, leave calls out and add texts; calls and results must stay together.",
	Whose:   "yours",
	Params:  []Param{{Name: "program", Kind: KindWord, Required: true, Program: true, Help: "the program and its arguments, in double quotes; no shell reads them"}},
	build: func(a args) (Built, error) {
		command := a.word("program")
		if a.in.Runner == nil {
			return Built{}, &BuildError{a.call, "no program may be run here"}
		}
		x := &external{command: command}
		return Built{
			Stage: x, reasons: []string{"", "external: not in what " + command + " printed", "external: moved by " + command, "external: added by " + command},
			problem: func(*model.View) []model.Problem {
				if x.ran {
					return nil
				}
				return []model.Problem{{Rule: "not-run", Index: -1, Message: "the texts are not counted yet, so the program was not run: everything is shown as it came"}}
			},
		}, nil
	},
}

const (
	whyLeftOut = 1 + iota
	whyMoved
	whyAdded
)

// execSlots is how many messages a program may add in one place.
const execSlots = 8

// external hands a view to a program and takes what it prints.
type external struct {
	command string
	from    int // the first call the program is run for
	nth     int
	ran     bool
	added   []Key // messages of the program's in the view
	memo    textMemo
}

func (x *external) slot(nth int) { x.nth = nth }
func (*external) slots() int     { return execSlots }

func (x *external) Step(f *Facts, in, out *Layer) {
	if !f.vars.size.read || f.Number < x.from {
		passthrough{}.Step(f, in, out)
		return
	}
	var keys []Key
	for k := in.First(); k >= 0; k = in.Next(k) {
		keys = append(keys, k)
	}
	sent := f.vars.sentAll(in, keys)
	var got []sentMessage
	if len(sent) > 0 {
		output, ok := f.vars.run(f, x.command, "view", sent)
		if !ok {
			return
		}
		if err := json.Unmarshal(output, &got); err != nil {
			f.vars.size.err = x.broken(f, "it must print a JSON list of messages: "+err.Error())
			return
		}
	}
	x.ran = true
	for _, k := range in.delta {
		if !in.Live(k) {
			out.Drop(k, whyGone)
		}
	}
	for _, k := range x.added {
		out.Drop(k, whyGone)
	}
	x.added = x.added[:0]
	a := answer{external: x, f: f, in: in, keys: keys, sent: sent, taken: make([]bool, len(sent)), last: -1}
	if err := a.read(got); err != nil {
		f.vars.size.err = x.broken(f, err.Error())
		return
	}
	a.settle(out)
}

func (x *external) broken(f *Facts, what string) error {
	return fmt.Errorf("view at call %d: program %q: %s", f.Number, x.command, what)
}
