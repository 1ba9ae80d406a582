package codex

import (
	"bytes"
	"strings"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/lines"
)

// An action is the role of a response item in the conversation.
type action uint8

const (
	isMessage action = iota + 1
	isReasoning
	isCall
	isServerCall // run by the provider, without a result item
	isOutput
	isNote       // input from another agent
	isCompaction // an encrypted summary
	isOther      // not part of the conversation
)

// items maps the response item types to their actions. tool is the name of calls
// without a recorded name.
var items = map[string]struct {
	is   action
	tool string
}{
	"message":                 {isMessage, ""},
	"reasoning":               {isReasoning, ""},
	"function_call":           {isCall, ""},
	"custom_tool_call":        {isCall, ""},
	"local_shell_call":        {isCall, "local_shell"},
	"tool_search_call":        {isCall, "tool_search"},
	"web_search_call":         {isServerCall, "web_search"},
	"image_generation_call":   {isServerCall, "image_generation"},
	"function_call_output":    {isOutput, ""},
	"custom_tool_call_output": {isOutput, ""},
	"local_shell_call_output": {isOutput, "local_shell"},
	"tool_search_output":      {isOutput, "tool_search"},
	"mcp_tool_call_output":    {isOutput, ""},
	"agent_message":           {isNote, ""},
	"compaction":              {isCompaction, ""},
	"compaction_summary":      {isCompaction, ""},
	"context_compaction":      {isCompaction, ""},
	"additional_tools":        {isOther, ""}, // tools that join those of the request, which are not in the file
	"ghost_snapshot":          {isOther, ""},
	"other":                   {isOther, ""},
}

func isItem(kind string) bool { return items[kind].is != 0 }

// item adds a response item to the index.
func (x *index) item(kind string) {
	is := items[kind]
	switch is.is {
	case isMessage:
		x.message()
	case isReasoning:
		x.reasoning()
	case isCall, isServerCall:
		x.call(is.tool, is.is == isServerCall)
	case isOutput:
		if x.row.String(x.r.execution) == "server" {
			x.document("response_item " + kind)
			return
		}
		x.output(is.tool)
	case isNote:
		u := x.add(model.Message{Role: model.User, Parts: x.parts(), Badges: model.Badges(0).With(model.Injected)})
		x.remember(u, textPart)
	case isCompaction:
		x.compactionReported()
		x.document("response_item " + kind)
		return
	case isOther:
		x.document("response_item " + kind)
		return
	default:
		x.lines.Opaque("response_item "+kind, x.row.Whole())
		return
	}
	x.lines.Message()
}

func (x *index) message() {
	role, _ := model.ParseRole(x.row.String(x.r.role))
	if role == model.Assistant {
		x.grow(textPart, func(m *model.Message) { m.Parts = append(m.Parts, x.parts()...) })
		return
	}
	u := x.add(model.Message{Role: role, ID: x.row.String(x.r.id), Parts: x.parts()})
	if role == model.User {
		m := x.units[u].msg
		m.Badges = wrappedBadges(x.row, &x.r)
		x.units[u].prompt = !m.Badges.Has(model.Injected)
	}
	x.remember(u, textPart)
}

// wrappers are prefixes of injected user texts.
var wrappers = []string{
	"<environment_context>", "<user_instructions>", "# agents.md instructions", "<instructions>", "<turn_aborted>",
	"<user_shell_command>", "<subagent_notification>", "<subagents>", "<skill>", "<hook_prompt", "<user_action>",
	"<permissions instructions>", "<goal_context>", "<codex_internal_context", "<recommended_plugins>",
}

// summaryPrefix is the beginning of a compaction summary.
const summaryPrefix = "another language model started to solve this problem"

// wrappedBadges returns the badges of a user message: whether it is injected, and whether it is
// a compaction summary.
func wrappedBadges(row lines.Row, r *record) model.Badges {
	var badges model.Badges
	if role, _ := model.ParseRole(row.String(r.role)); role != model.User {
		return badges
	}
	injected, summary := wrapped(row, r)
	if injected {
		badges = badges.With(model.Injected)
	}
	if summary {
		badges = badges.With(model.Summary)
	}
	return badges
}

// wrapped reports whether a message is injected and whether it is a compaction summary.
func wrapped(row lines.Row, r *record) (injected, summary bool) {
	texts := []span{r.text}
	for i := range r.parts {
		texts = append(texts, r.parts[i].text)
	}
	for _, text := range texts {
		if text.Len() < 3 {
			continue
		}
		head := row.Data[text.Start+1 : min(text.End-1, text.Start+80)]
		head = bytes.ToLower(bytes.TrimLeft(bytes.ReplaceAll(head, []byte(`\n`), []byte(" ")), " "))
		if strings.HasPrefix(string(head), summaryPrefix) {
			return true, true
		}
		for _, w := range wrappers {
			if strings.HasPrefix(string(head), w) {
				return true, false
			}
		}
	}
	return false, false
}

// grow calls change for the message of the current reply. If no reply is open, grow starts a new
// reply. part is the kind of the current item; calls get their number.
func (x *index) grow(part int16, change func(*model.Message)) {
	if x.open < 0 {
		u := x.add(model.Message{Role: model.Assistant, ID: x.row.String(x.r.id)})
		x.units[u].reply, x.units[u].texts = int32(len(x.replies)), 0
		x.replies = append(x.replies, x.newReply())
		x.open = u
	} else {
		m := x.units[x.open].msg
		m.Origin = append(m.Origin, x.row.Whole())
		if m.ID == "" {
			m.ID = x.row.String(x.r.id)
		}
	}
	u := &x.units[x.open]
	change(u.msg)
	switch part {
	case textPart:
		u.texts++
	case callPart:
		part = int16(min(u.calls, maxPart))
		u.calls++
	}
	x.remember(x.open, part)
}

// newReply returns a reply with the current settings.
func (x *index) newReply() reply {
	return reply{model: x.model, window: x.window, copied: x.copied, facts: x.request}
}

func (x *index) reasoning() {
	x.grow(thinkingPart, func(m *model.Message) {
		for i := range x.r.parts {
			if p := &x.r.parts[i]; p.text.Len() > 2 {
				m.Parts = append(m.Parts, model.Part{Kind: model.Thinking, Body: x.row.Text(p.text)})
			}
		}
		if x.r.encrypted.Len() > 2 {
			m.Parts = append(m.Parts, model.Part{Kind: model.Thinking, Body: x.row.Text(x.r.encrypted), Sealed: true})
			m.Badges = m.Badges.With(model.Sealed)
		}
	})
}

func (x *index) call(tool string, server bool) {
	r := &x.r
	c := model.ToolCall{
		ID: x.row.String(r.callID), Name: x.lines.Name(x.row, r.name), Args: x.row.Value(r.args),
		Server: server || x.row.String(r.execution) == "server", Failed: x.row.String(r.status) == "failed",
	}
	if c.ID == "" {
		c.ID = x.row.String(r.id)
	}
	if c.Name == "" {
		c.Name = tool
	}
	if space := x.lines.Name(x.row, r.namespace); space != "" {
		c.Name = strings.TrimSuffix(space, ".") + "." + c.Name
	}
	if c.Args.None() {
		c.Args = x.row.Text(r.revised)
	}
	x.grow(callPart, func(m *model.Message) { m.Calls = append(m.Calls, c) })
}

func (x *index) output(tool string) {
	r := &x.r
	m := model.Message{
		Role: model.Tool, CallID: x.row.String(r.callID), ToolName: tool, Parts: x.parts(),
		IsError: r.failed || x.exited(),
	}
	if len(m.Parts) == 0 && !r.tools.Absent() {
		m.Parts = []model.Part{{Kind: model.Text, Body: x.row.Value(r.tools)}}
	}
	x.remember(x.add(m), textPart)
}

// exitNotes are the texts before the exit status in a command's output.
var exitNotes = []string{"Process exited with code ", `\"exit_code\":`, "Exit code: "}

// exited reports whether the current output has an exit status other than 0.
func (x *index) exited() bool {
	text := x.r.text
	if text.Len() < 3 && len(x.r.parts) > 0 {
		text = x.r.parts[0].text
	}
	if text.Len() < 3 {
		return false
	}
	head := string(x.row.Data[text.Start+1 : min(text.End-1, text.Start+200)])
	if strings.HasPrefix(head, `{\"output\":`) { // the status is at the end
		head = string(x.row.Data[max(text.Start+1, text.End-200) : text.End-1])
	} else if body := strings.Index(head, `Output:\n`); body >= 0 {
		head = head[:body]
	}
	for _, note := range exitNotes {
		if _, status, ok := strings.Cut(head, note); ok {
			return status != "" && status[0] != '0'
		}
	}
	return false
}

// parts returns the message parts of the current content.
func (x *index) parts() []model.Part {
	r := &x.r
	if !r.text.Absent() {
		return []model.Part{{Kind: model.Text, Body: x.row.Text(r.text)}}
	}
	var parts []model.Part
	for i := range r.parts {
		p := &r.parts[i]
		switch kind := x.lines.Name(x.row, p.kind); kind {
		case "input_text", "output_text", "text", "summary_text", "reasoning_text", "":
			parts = append(parts, model.Part{Kind: model.Text, Body: x.row.Text(p.text)})
		case "input_image":
			parts = append(parts, model.Part{Kind: model.Image, Media: x.media(p.text, "image"), Body: x.row.Text(p.text)})
		case "input_file", "input_audio":
			parts = append(parts, model.Part{Kind: model.File, Media: x.media(p.text, ""), Body: x.row.Text(p.text)})
		default:
			parts = append(parts, model.Part{Kind: model.Opaque, Media: kind, Body: x.row.Ref(p.whole, model.JSONValue)})
		}
	}
	return parts
}

// media returns the media type of the data URL at text. If text is not a data URL, media returns
// other.
func (x *index) media(text span, other string) string {
	if text.Len() < 3 {
		return other
	}
	head := string(x.row.Data[text.Start+1 : min(text.End-1, text.Start+100)])
	data, ok := strings.CutPrefix(head, "data:")
	if end := strings.IndexAny(data, ";,"); ok && end >= 0 {
		return data[:end]
	}
	return other
}
