package lint

import (
	"fmt"
	"slices"
	"strings"

	"agentlens/internal/model"
)

// Providers returns the names of the interfaces whose rules are known.
func Providers() []string {
	var names []string
	for _, p := range providers() {
		names = append(names, p.name)
	}
	return names
}

// A provider holds the properties of an interface that determine how a view becomes a
// request.
type provider struct {
	name    string
	formats []string // formats whose records have the parts of this interface
	models  string   // part of the names of its models; "" if the interface serves any model
	// systemApart is set if system messages are outside the list and consecutive results
	// are merged into one message.
	systemApart bool
}

const (
	openAI    = "openai"
	responses = "openai-responses"
	anthropic = "anthropic"
	gemini    = "gemini"
)

func providers() []provider {
	return []provider{
		{name: openAI, formats: []string{"openai-chat"}},
		{name: responses, formats: []string{"openai-responses"}},
		{name: anthropic, formats: []string{"anthropic-messages", "claude-code"}, models: "claude", systemApart: true},
		{name: gemini, formats: []string{"gemini-generate"}, systemApart: true},
	}
}

func lookup(name string) (*provider, error) {
	for _, p := range providers() {
		if p.name == name {
			return &p, nil
		}
	}
	return nil, fmt.Errorf("no rules for provider %q: want %s", name, strings.Join(Providers(), ", "))
}

// ProviderOf returns the interface that the views of a thread go to: that of the record's format,
// else that of the thread's last model, else that of chat completions.
func ProviderOf(run *model.Run, t *model.Thread) string {
	name := t.LastModel()
	for _, p := range providers() {
		if slices.Contains(p.formats, run.Format) {
			return p.name
		}
	}
	for _, p := range providers() {
		if p.models != "" && strings.Contains(name, p.models) {
			return p.name
		}
	}
	return openAI
}

// PairRules returns the rules about a call or a result without its counterpart.
func PairRules() []string { return []string{"orphan-result", "unanswered-call"} }

// A Rule describes one kind of fault for which providers refuse a view.
type Rule struct {
	ID      string
	Meaning string
	// Texts maps the name of a provider to its error text. A provider that is missing
	// accepts the view. {at} and {with} are positions in the request; {ids} are call ids.
	// Texts in parentheses are written by lens because the provider's text is not known.
	Texts map[string]string
	find  func(*request) []fault
	// whole is set if the rule depends on the size or the ends of the request, not on a
	// message and those that it calls or answers.
	whole bool
}

const emptyContentID = "empty-content"

const (
	chatUnanswered      = "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: {ids}"
	anthropicUnanswered = "messages.{at}: `tool_use` ids were found without `tool_result` blocks immediately after: {ids}. Each `tool_use` block must have a corresponding `tool_result` block in the next message."
	geminiCount         = "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn."
	geminiResponseTurn  = "Please ensure that function response turn comes immediately after a function call turn."
	geminiCallTurn      = "Please ensure that function call turn comes immediately after a user turn or after a function response turn."
	ownUnlinked         = "(pairing not recorded: the record does not say which call this result answers)"
	ownDuplicate        = "(refused in words that are not known: a second result for call {ids})"
)

// NotAdjacent is the rule of a result that does not directly follow its call.
const NotAdjacent = "results-not-adjacent"

// Rules returns the table of all rules.
func Rules() []Rule {
	return []Rule{
		{"orphan-result", "a result whose call is not in the request", map[string]string{
			openAI:    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
			responses: "No tool call found for function call output with call_id {ids}.",
			anthropic: "messages.{at}.content.{with}: unexpected `tool_use_id` found in `tool_result` blocks: {ids}. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
			gemini:    geminiResponseTurn,
		}, orphans, false},
		{"unanswered-call", "a call whose result is not in the request", map[string]string{
			openAI: chatUnanswered, responses: "No tool output found for function call {ids}.", anthropic: anthropicUnanswered, gemini: geminiCount,
		}, unanswered, false},
		{NotAdjacent, "a result that does not directly follow its call", map[string]string{
			openAI: chatUnanswered, anthropic: anthropicUnanswered, gemini: geminiResponseTurn,
		}, apart, false},
		{"duplicate-result", "a second result of one call", map[string]string{
			openAI:    "Invalid parameter: Duplicate value for 'tool_call_id' of '{ids}', in messages[{with}] and messages[{at}].",
			responses: ownDuplicate, anthropic: ownDuplicate, gemini: geminiCount,
		}, duplicates, false},
		{"pairing-not-recorded", "a result without the id of its call", map[string]string{
			openAI: ownUnlinked, responses: ownUnlinked, anthropic: ownUnlinked,
		}, unlinked, false},
		{"empty-calls-array", "a list of calls without a call", map[string]string{
			openAI: "Invalid 'messages[{at}].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.",
		}, emptyCalls, false},
		{emptyContentID, "a message that says nothing", map[string]string{
			anthropic: "messages.{at}: all messages must have non-empty content except for the optional final assistant message",
			gemini:    "* GenerateContentRequest.contents[{at}].parts: contents.parts must not be empty.",
		}, emptyContent, false},
		{"first-not-user", "a conversation that begins with a call", map[string]string{gemini: geminiCallTurn}, firstIsCall, true},
		{"ends-with-model", "a request that ends with a reply", map[string]string{
			gemini: "Please ensure that multiturn requests ends with a user role or a function response",
		}, endsWithModel, true},
		{"over-window", "more tokens than the model's context window", map[string]string{
			openAI:    "(context_length_exceeded: about {tokens} tokens, the window has {window})",
			responses: "Your input exceeds the context window of this model. Please adjust your input and try again.",
			anthropic: "prompt is too long: {tokens} tokens > {window} maximum",
			gemini:    "(over the input token limit: about {tokens} tokens, the window has {window})",
		}, overWindow, true},
	}
}
