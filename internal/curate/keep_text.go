package curate

import (
	"encoding/json"
	"strings"

	"agentlens/internal/model"
)

var keepTextSpec = Spec{
	Name:    "keep_text",
	Summary: "Only turns in natural language: calls, results, call-shaped JSON and empty turns go.",
	Whose:   "flujo (FSD-033 §8)",
	build: func(args) (builtStage, error) {
		c := &keepText{shaped: map[memoKey]bool{}}
		c.sieve = sieve{rule: c, why: "only natural language is kept"}
		return builtStage{stage: c, reasons: []string{"", "no turn in natural language"}}, nil
	},
}

// keepText keeps texts. Where texts may not be read, call-shaped ones stay.
type keepText struct {
	sieve
	shaped map[memoKey]bool
}

func (c *keepText) step(f *facts, in, out *layer) {
	c.start(in)
	for _, k := range in.delta {
		c.decide(f, in, out, k)
	}
}

func (*keepText) call(*layer, *model.Message, int, key) bool { return false }

func (c *keepText) message(f *facts, in *layer, k key) bool {
	switch {
	case in.role(k) == model.System || !in.isMessage(k):
		return true
	case in.role(k) == model.Tool || !in.thread.At(in.message(k)).HasText():
		return false
	case !f.vars.size.read:
		return true
	}
	id := memoKey{k, in.items[k].variant}
	is, ok := c.shaped[id]
	if !ok {
		is = callShaped(f.vars.text(in.keyspace, k, in.items[k]))
		c.shaped[id] = is
	}
	return !is
}

// callShaped is flujo's filter of tool artifacts: empty, marked as a tool's,
// naming function_call anywhere, or a JSON object with a key a call would have.
func callShaped(text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "" || strings.HasPrefix(text, "tool:") || strings.HasPrefix(text, "[tool]") || strings.Contains(text, "function_call") {
		return true
	}
	var object map[string]json.RawMessage
	if text[0] != '{' || json.Unmarshal([]byte(text), &object) != nil {
		return false
	}
	for _, name := range [...]string{"tool", "tool_call", "function", "arguments", "name"} {
		if _, ok := object[name]; ok {
			return true
		}
	}
	return false
}
