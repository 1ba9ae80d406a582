package strategy

import (
	"agentlens/internal/curate/chain"
	"agentlens/internal/curate/engine"
)

// The values of the parameter of a stage that says what its amounts are compared with.
const (
	ofName     = "of"
	ofContext  = "context"
	ofMessages = "messages"
)

// ofParam is the parameter of every strategy that compares tokens with a trigger or a budget.
func ofParam(def, amount string) chain.Param {
	return chain.Param{
		Name: ofName, Kind: chain.KindWord, Default: def, Words: []string{ofContext, ofMessages},
		Help: "what " + amount + " is compared with. context: system prompt, tools and messages, where the provider counted them; messages: the messages alone",
	}
}

// trigger returns the tokens of the context that are not messages, as a trigger counts them:
// those of the last prompt that the provider counted.
func (a *args) trigger() func(f *engine.Facts) int64 {
	if a.word(ofName) == ofMessages {
		return func(*engine.Facts) int64 { return 0 }
	}
	return (*engine.Facts).Around
}

// budget returns the tokens of the context that are not messages, as a budget counts them: the
// system prompt and tools, which are the same at every call.
func (a *args) budget() func(f *engine.Facts) int64 {
	if a.word(ofName) == ofMessages {
		return func(*engine.Facts) int64 { return 0 }
	}
	return (*engine.Facts).Head
}
