package model

import "testing"

// TestTemplateAt checks which of several templates a call gets: the last one whose loop and steps
// are those of the call.
func TestTemplateAt(t *testing.T) {
	of := Template{Source: "own", Scoped: []ScopedTemplate{{Loop: "a", Source: "A"}, {Loop: "b", Source: "B"}, {Loop: "b", Steps: []string{"plan"}, Source: "B plan"}}}
	for want, c := range map[string]*Call{
		"A":      {Scope: &Scope{Loop: "a", Step: "plan"}},
		"B":      {Scope: &Scope{Loop: "b", Step: "ask"}},
		"B plan": {Scope: &Scope{Loop: "b", Step: "plan"}},
		"own":    {Scope: &Scope{Loop: "c"}},
	} {
		if got := of.At(c); got != want {
			t.Errorf("%+v: %q, want %q", c.Scope, got, want)
		}
	}
	if got := of.At(nil); got != "B" { // the call after the record may be of any loop
		t.Errorf("%q", got)
	}
}
