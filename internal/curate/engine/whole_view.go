package engine

import (
	"slices"
	"strings"

	"agentlens/internal/model"
)

// wholeView returns the problems of a simulated view as a request, whichever stage caused them.
// made is false for the call after the record. calls reports whether an entry makes tool calls.
// The rules come from public error reports of 2024 to 2026, see package lint.
func wholeView(v *model.View, made bool, calls func(entry int) bool) (found []model.Problem) {
	first, last, given := -1, -1, false
	for i := range v.Entries {
		e := &v.Entries[i]
		if e.Role == model.System {
			continue
		}
		given = true
		if !e.Sent() {
			continue
		}
		if first < 0 {
			first = i
		}
		last = i
	}
	if first < 0 {
		if given && !slices.ContainsFunc(v.Problems, func(p model.Problem) bool { return p.Rule == "over-budget" }) {
			found = append(found, model.Problem{Rule: "only-system", Message: "nothing but the system message is left: anthropic and gemini refuse a request without messages"})
		}
		return found
	}
	if e := &v.Entries[first]; e.Role != model.User {
		who, provider := "Bedrock refuses that", bedrock
		if calls(first) {
			who, provider = "gemini, since it makes a call, and Bedrock refuse that", ""
		}
		found = append(found, model.Problem{Rule: "first-not-user", Provider: provider, Index: model.Some(e.Index), Message: "the view starts with a message of role " + e.Role.String() + ": " + who})
	}
	if e := &v.Entries[last]; made && e.Role == model.Assistant && !calls(last) {
		found = append(found, model.Problem{Rule: "ends-with-model", Index: model.Some(e.Index), Message: "the view ends with a message of role assistant: gemini and newer models of anthropic refuse that"})
	}
	return found
}

// bedrock is a provider that refuses some views that others accept: its name in problems, and
// the format prefix of its own records.
const bedrock = "bedrock"

// ProblemsFor returns the problems of a view that the provider of a run would have:
// all except those of another provider.
func ProblemsFor(run *model.Run, v *model.View) []model.Problem {
	theirs := strings.HasPrefix(string(run.Format), bedrock)
	return slices.DeleteFunc(slices.Clone(v.Problems), func(p model.Problem) bool { return p.Provider == bedrock && !theirs })
}

// makesCalls reports whether a message makes calls that the provider does not run itself. left
// holds the positions of the remaining calls; nil means all.
func makesCalls(m *model.Message, left []int) bool {
	for j := range m.Calls {
		if !m.Calls[j].Server && (left == nil || slices.Contains(left, j)) {
			return true
		}
	}
	return false
}
