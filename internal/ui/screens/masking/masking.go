// Package masking words what is masked in a message, and a value that the user masks by hand.
//
// The package must never keep a value.
package masking

import (
	"fmt"

	"agentlens/internal/model"
	"agentlens/internal/safe"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/view"
)

// Marked returns the note on a value that was masked by hand, or is masked by hand no more.
func Marked(marked bool) kit.Words {
	if marked {
		return "masked by hand, here and in every run and export from now on · the same command again ends that"
	}
	return "no longer masked by hand once lens is started again"
}

// Facts returns the rules that mask something in the message of an item, with the number of places and the reason.
func Facts(gate *safe.Gate, run *model.Run, s *view.Aligned, it *view.Item) (facts []view.Fact) {
	if it.Index < 0 {
		return nil
	}
	m := s.Thread.At(int(it.Index))
	var texts []fmt.Stringer
	for _, read := range []func(*model.Message) (string, error){run.Text, run.Thinking} {
		if text, err := read(m); err == nil {
			texts = append(texts, gate.Text(text))
		}
	}
	for i := range m.Calls {
		if args, err := run.Body(m.Calls[i].Args); err == nil {
			texts = append(texts, gate.Arguments(args))
		}
	}
	for _, w := range safe.WhyMasked(texts...) {
		facts = append(facts, view.Fact{Key: "masked", Value: w.Rule + " · " + string(kit.Plural(w.Places, "place")) + ": " + w.Because})
	}
	return facts
}
