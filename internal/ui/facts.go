package ui

import (
	"fmt"
	"strconv"
	"strings"

	"agentlens/internal/curate"
	"agentlens/internal/curate/models"
	"agentlens/internal/curate/score"
	"agentlens/internal/export"
	"agentlens/internal/export/rundiff"
	"agentlens/internal/model"
)

// fact is one line of the explanation of a view.
type fact struct{ key, value string }

func factBlocks(gate *export.Gate, head words, facts []fact) []block {
	var b strings.Builder
	for _, f := range facts {
		if f.value != "" {
			fmt.Fprintf(&b, "%-*s%s\n", factKey, f.key, oneLine(f.value))
		}
	}
	return []block{{kind: headBlock, note: head}, {kind: factsBlock, text: gate.Text(b.String())}}
}

func viewFacts(s *shown, call *model.Call, run *model.Run, prices func(modelName string) models.Prices) []fact {
	facts := []fact{{"basis", string(basisWords(s).text)}, {"means", basisMeans(s)}, {"note", s.view.Note}}
	if s.chain != "" {
		facts = append(facts, fact{"chain", s.chain}, fact{"record says", recordSays(s)})
	}
	facts = append(facts,
		fact{"given", tallyWords(s.view.Original, s.exact)},
		fact{"sent", tallyWords(s.view.Curated, !s.view.Estimated)},
		fact{"counted by", s.method})
	if f := fillingOf(s); len(f.all) > 0 {
		facts = append(facts, fact{"filled by", f.kinds(!s.view.Estimated, s.rest)}, fact{"largest", f.largest(!s.view.Estimated)})
	}
	facts = append(facts, fact{"new", newMeans(s)}, fact{"pairs", pairsMeans(s)})
	for _, st := range s.view.Stages {
		facts = append(facts, fact{"after", st.Stage + ": " + tallyWords(st.Tally, !s.view.Estimated)})
	}
	if s.view.PrefixKept > 0 {
		facts = append(facts, fact{"prefix", string(plural(s.view.PrefixKept, "leading message")) + " as at the call before" + prefixMeans(s)})
	}
	for _, p := range s.view.Problems {
		facts = append(facts, fact{"problem", p.Message})
	}
	if call == nil {
		return append(facts, fact{"call", "the one after the whole record"})
	}
	usage := "usage"
	if s.chain != "" { // what follows is of the call as it was made
		usage = "as recorded"
	}
	facts = append(facts, fact{"call", strconv.Itoa(call.Number)}, fact{"model", call.Model}, fact{usage, usageWords(call.Usage)}, fact{"cost", costWords(call, prices)})
	if at, ok := call.At.At(); ok {
		facts = append(facts, fact{"at", at.Format("2006-01-02 15:04:05 MST")})
	}
	facts = append(facts, fact{"tools", strings.Join(call.Tools, ", ")}, fact{"evidence", run.Place(call.Evidence)}, fact{"prompt", run.Where(call.Prompt)})
	return append(facts, badgeFacts(call.Badges)...)
}

// recordSays is what the record tells of a call that a chain is tried on.
func recordSays(s *shown) string {
	says := s.basis.String()
	if s.was >= 0 {
		says += ": " + string(about(s.was, s.exact)) + " tokens were sent"
	}
	return says
}

// newMeans says what the call was sent that the one before was not: all behind the
// prefix they share.
func newMeans(s *shown) string {
	if s.call < 2 || s.view.PrefixKept == 0 {
		return ""
	}
	f := &filling{thread: s.thread}
	sent := rundiff.Sent(s.view)
	for _, e := range sent[min(s.view.PrefixKept, len(sent)):] {
		f.add(e.Index, e.Role, int64(e.Tokens))
	}
	if len(f.all) == 0 {
		return "nothing that the call before was not sent"
	}
	return "messages " + f.indexes() + ", " + string(about(f.tally().Tokens, !s.view.Estimated)) + " tokens, since call " + strconv.Itoa(s.call-1)
}

func prefixMeans(s *shown) string {
	if s.view.PrefixBreak < 0 {
		return ", all there were"
	}
	return "; it breaks at message " + strconv.Itoa(s.view.PrefixBreak) + ", and a cache holds nothing behind that"
}

// basisMeans says what a basis claims, and what it does not.
func basisMeans(s *shown) string {
	switch {
	case s.whatIf:
		return "the record does not tell what the provider was given; shown is what it would be if all of the history had been sent"
	case s.view.Basis == model.Simulated:
		return "what this chain would have sent; nothing says that it was"
	case s.view.Basis == model.Recorded:
		return "the record holds what was sent"
	case s.view.Basis == model.Derived:
		return "derived from markers in the record, not itself recorded"
	}
	return ""
}

// pairsMeans says whether calls and results stay together in a view.
func pairsMeans(s *shown) string {
	switch {
	case s.broken > 0:
		return string(plural(s.broken, "call or result")) + " stands without the other: a provider would refuse that"
	case s.paired:
		return "whole: every call that is sent has its result with it, as far as the record holds one"
	}
	return ""
}

func messageFacts(s *shown, it *item, run *model.Run) []fact {
	var facts []fact
	var m *model.Message
	if it.index >= 0 {
		m = s.thread.At(int(it.index))
		facts = append(facts, fact{"message", fmt.Sprintf("%d · %s", it.index, m.Role)}, fact{"id", m.ID})
	}
	if e := s.entry(it); e != nil {
		facts = append(facts, fact{"fate", e.Fate.String()}, fact{"by", e.By}, fact{"reason", e.Reason}, fact{"kept", keptBecause(s, e)})
		if e.Fate == model.WasChanged {
			facts = append(facts, fact{"tokens", string(about(int64(e.WasTokens), s.exact) + " → " + about(int64(e.Tokens), !s.view.Estimated))})
		}
	} else if it.kind == messageItem {
		facts = append(facts, fact{"fate", "not given at this call"})
	}
	if m == nil {
		return facts
	}
	if it.kind == messageItem && int(it.index) < len(s.tokens) {
		facts = append(facts, fact{"size", string(about(int64(s.tokens[it.index]), s.exact) + " tokens")})
	}
	if at, ok := m.At.At(); ok {
		facts = append(facts, fact{"at", at.Format("2006-01-02 15:04:05 MST")})
	}
	facts = append(facts, fact{"step", m.Step}, fact{"tool", m.ToolName}, fact{"call id", m.CallID})
	for _, c := range m.Calls {
		facts = append(facts, fact{"calls", c.Name + " · " + c.ID + " · " + c.Status()})
	}
	for _, o := range m.Origin {
		facts = append(facts, fact{"record", run.Place(o)})
	}
	return append(facts, badgeFacts(m.Badges)...)
}

// markerFacts says what a marker is and, where it took messages out of the views, which.
func markerFacts(k *model.Marker, s *shown, of *curate.Replayed, run *model.Run) []fact {
	before := s.thread.CallAfter(k.After)
	facts := []fact{{"kind", string(k.Kind)}, {"after", fmt.Sprintf("message %d, before %s", k.After, callName(s.thread, before))}}
	if at, ok := k.At.At(); ok {
		facts = append(facts, fact{"at", at.Format("2006-01-02 15:04:05 MST")})
	}
	for _, d := range k.Detail {
		facts = append(facts, detailFact(d))
	}
	if cuts(k.Kind) {
		facts = append(facts, cutFacts(k, s, of)...)
	}
	return append(facts, fact{"record", run.Place(k.Origin)})
}

func badgeFacts(set model.Badges) []fact {
	var facts []fact
	for _, b := range set.List() {
		facts = append(facts, fact{"‹badge›", b.String() + ": " + b.Help()})
	}
	return facts
}

func tallyWords(t model.Tally, exact bool) string {
	return string(plural(t.Messages, "message") + ", " + about(t.Tokens, exact) + " tokens")
}

// usageWords lists the known figures of a usage record.
func usageWords(u model.Usage) string {
	var parts []string
	for _, f := range [...]struct {
		field model.UsageField
		name  string
	}{{model.UsageInput, "input"}, {model.UsageCacheRead, "cache read"}, {model.UsageCacheWrite, "cache write"}, {model.UsageOutput, "output"}, {model.UsageReasoning, "of it reasoning"}} {
		if n, ok := u.Tokens(f.field); ok {
			parts = append(parts, fmt.Sprintf("%d %s", n, f.name))
		}
	}
	if len(parts) == 0 {
		return "not recorded"
	}
	return strings.Join(parts, ", ")
}

// costWords is what a call cost: as recorded, else at the prices that are known.
func costWords(c *model.Call, prices func(modelName string) models.Prices) string {
	if c.Usage.Known&model.UsageCost != 0 {
		return fmt.Sprintf("$%.4f", c.Usage.CostUSD)
	}
	if prices != nil {
		if m := score.UsageCost(c.Usage, prices(c.Model)); m.Known {
			return fmt.Sprintf("~$%.4f at the prices lens knows; not recorded", m.USD)
		}
	}
	return "not recorded"
}

func isError(m *model.Message) bool {
	if m.IsError || m.Badges.Has(model.ErrorBadge) {
		return true
	}
	for i := range m.Calls { // where there is no result to carry the mark
		if m.Calls[i].Failed && m.Calls[i].Result < 0 {
			return true
		}
	}
	return false
}

// isTurn reports whether a message begins a turn: a person spoke, not the harness.
func isTurn(m *model.Message) bool { return m.Role == model.User && !m.Badges.Has(model.Injected) }

// callName is what a call is called on the screen.
func callName(t *model.Thread, call int) words {
	if t != nil && call > len(t.Calls) {
		return "next"
	}
	return "call " + figureWhole(call)
}
