package ui

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/curate"
	"agentlens/internal/model"
)

// This file is the context of each call against the window of its model.

// contextAt is the size in tokens of the prompt of a call: as the provider counted it
// where that is recorded of the view shown, else that of the view.
func (r *root) contextAt(of *curate.Replayed, call int) (tokens int64, exact bool) {
	t := r.threadNow()
	if r.chain.wanted() == "" && call <= len(t.Calls) {
		if prompt, ok := t.Calls[call-1].Usage.Prompt(); ok {
			return prompt, true
		}
	}
	original, curated := of.Tally(call)
	if r.chain.wanted() == "" && !of.Has(call) {
		return original.Tokens, r.msgs.shown.exact
	}
	return curated.Tokens, r.msgs.shown.exact && r.chain.wanted() == ""
}

// toHalf goes to the first call whose context passes half the window of its model.
func (r *root) toHalf() tea.Cmd {
	of := r.replays.recorded
	if r.chain.wanted() != "" && r.replays.chained != nil {
		if of = r.replays.chained; r.replays.only > 0 {
			r.note = "the chain runs a program, and was run for this call alone"
			return nil
		}
	}
	t, windowOf := r.threadNow(), r.windows()
	var most int64
	var mostAt int
	known := false
	for n := 1; n <= len(t.Calls); n++ {
		window := windowOf(n)
		tokens, exact := r.contextAt(of, n)
		if tokens > most {
			most, mostAt = tokens, n
		}
		if known = known || window > 0; window > 0 && tokens*2 > window {
			cmd := r.goCall(n)
			r.note = callName(t, n) + " is the first past half of " + figureShort(window) + ": " + about(tokens, exact) + "; i says what fills it"
			return cmd
		}
	}
	switch {
	case mostAt == 0:
		r.note = "no call of this thread was given anything"
	case !known:
		r.note = "the context window of the model is not known: lens show --window 200k says it"
	default:
		_, exact := r.contextAt(of, mostAt)
		r.note = "no call passes half the window; the largest is " + callName(t, mostAt) + " with " + about(most, exact)
	}
	return nil
}

// windows is the context window at each call of the thread, in tokens.
func (r *root) windows() func(call int) int64 {
	return curate.Windows{Said: r.cfg.WindowSaid, Of: r.cfg.Window}.At(r.threadNow())
}

// typedFit tries the newest messages that fit a size: a share of the context of this
// call, or tokens.
func (r *root) typedFit(arg string) tea.Cmd {
	share, isShare := number(strings.TrimSuffix(arg, "%"))
	if arg == "half" {
		share, arg, isShare = 50, "50%", true
	}
	if !strings.HasSuffix(arg, "%") {
		return r.typedChain("token_budget(" + arg + ")")
	}
	if !isShare || share < 1 || share > 100 {
		r.note = "a share is 1% to 100%, or half"
		return nil
	}
	now, exact := r.contextOfRecord()
	size := max(now*int64(share)/100, 1)
	chain, says := fmt.Sprintf("token_budget(%d)", size), words("; v shows the record again")
	if newest, results := r.newestGroup(); newest > size && results > 0 {
		chain = fmt.Sprintf("truncate_tool_results(%d) | %s", max(size*charsOfHalf/int64(results), 1), chain)
		says = ": the newest results alone are more, and are cut first"
	}
	cmd := r.typedChain(chain)
	r.note = words(arg) + " of " + about(now, exact) + " tokens at this call" + says
	return cmd
}

// charsOfHalf is about how many characters half a token is, cautiously: results that
// are cut so share half of a budget.
const charsOfHalf = 1

// newestGroup is the size in tokens of the newest call given, with its results and what
// came after it, and how many results there are.
func (r *root) newestGroup() (tokens int64, results int) {
	s := r.msgs.shown
	at := int32(-1)
	for i := range s.view.Entries {
		at = max(at, s.view.Entries[i].Index)
	}
	last := at
	for at >= 0 && s.thread.At(int(at)).Group < 0 {
		at--
	}
	if at < 0 {
		return 0, 0
	}
	for i := s.thread.At(int(at)).Group; i <= last; i++ {
		tokens += int64(s.tokens[i])
		if s.thread.At(int(i)).Role == model.Tool {
			results++
		}
	}
	return tokens, results
}

// contextOfRecord is the size in tokens of the messages of this call without a chain.
func (r *root) contextOfRecord() (tokens int64, exact bool) {
	given, sent := r.replays.recorded.Tally(r.call)
	if !r.replays.recorded.Has(r.call) {
		return given.Tokens, r.msgs.shown.exact
	}
	return sent.Tokens, r.msgs.shown.exact
}
