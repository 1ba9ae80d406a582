package responses

import (
	"strings"

	"agentlens/internal/trace/ground/chat/loose"
)

// An action is what a kind of item is in a conversation.
type action uint8

const (
	isUnknown action = iota
	isMessage
	isReasoning
	isCall       // answered by the client
	isServerCall // run by the provider, its result inside
	isOutput
	isCompaction
	isReference // an item the provider keeps, named by its id
	isAside     // part of a reply, of no better form
	isConsent   // what a person says to a call
)

// An item is what is known of a kind of item: what it is, the name of a tool
// whose calls carry none, and the members that hold arguments, the first found.
type item struct {
	is   action
	tool string
	args []string
}

var items = map[string]item{
	"message":                 {is: isMessage},
	"reasoning":               {is: isReasoning},
	"function_call":           {is: isCall, args: []string{"arguments"}},
	"custom_tool_call":        {is: isCall, args: []string{"input"}},
	"local_shell_call":        {is: isCall, tool: "local_shell", args: []string{"action"}},
	"shell_call":              {is: isCall, tool: "shell", args: []string{"action"}},
	"apply_patch_call":        {is: isCall, tool: "apply_patch", args: []string{"operation"}},
	"computer_call":           {is: isCall, tool: "computer", args: []string{"actions", "action"}},
	"tool_search_call":        {is: isCall, tool: "tool_search", args: []string{"arguments"}},
	"web_search_call":         {is: isServerCall, tool: "web_search", args: []string{"action"}},
	"file_search_call":        {is: isServerCall, tool: "file_search", args: []string{"queries"}},
	"code_interpreter_call":   {is: isServerCall, tool: "code_interpreter", args: []string{"code"}},
	"image_generation_call":   {is: isServerCall, tool: "image_generation", args: []string{"revised_prompt"}},
	"mcp_call":                {is: isServerCall, args: []string{"arguments"}},
	"function_call_output":    {is: isOutput},
	"custom_tool_call_output": {is: isOutput},
	"local_shell_call_output": {is: isOutput, tool: "local_shell"},
	"shell_call_output":       {is: isOutput, tool: "shell"},
	"apply_patch_call_output": {is: isOutput, tool: "apply_patch"},
	"computer_call_output":    {is: isOutput, tool: "computer"},
	"tool_search_output":      {is: isOutput, tool: "tool_search"},
	"compaction":              {is: isCompaction},
	"compaction_summary":      {is: isCompaction},
	"item_reference":          {is: isReference},
	"mcp_list_tools":          {is: isAside},
	"mcp_approval_request":    {is: isAside},
	"mcp_approval_response":   {is: isConsent},
}

// kindOf is the kind of an item and what is known of it. A message need not name
// its type; a call of an unknown kind is the provider's.
func kindOf(o loose.Object) (string, item) {
	kind := o.Text("type")
	if kind == "" && o.Has("role") {
		kind = "message"
	}
	it := items[kind]
	switch {
	case it.is == isUnknown && strings.HasSuffix(kind, "_call"):
		it = item{is: isServerCall, tool: strings.TrimSuffix(kind, "_call"), args: []string{"arguments", "action", "input"}}
	case o.Text("execution") == "server" && it.is == isCall:
		it.is = isServerCall
	case o.Text("execution") == "server" && it.is == isOutput:
		it.is = isAside
	}
	return kind, it
}
