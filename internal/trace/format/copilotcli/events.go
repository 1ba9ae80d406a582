package copilotcli

import (
	"hash/maphash"
	"strings"

	"agentlens/internal/model"
)

// events maps the kinds of events that are not messages to their handlers.
var events = map[string]func(*index){
	"session.start":               (*index).start,
	"session.resume":              func(x *index) { x.mark(model.Resumed) },
	"session.title_changed":       func(x *index) { x.title = x.row.String(x.r.title) },
	"session.model_change":        (*index).modelChange,
	"session.error":               (*index).failure,
	"model.call_failure":          (*index).failure,
	"session.truncation":          (*index).truncated,
	"session.compaction_complete": (*index).compacted,
	"session.context_cleared":     func(x *index) { x.mark(model.ContextEdit).restart = true },
	"session.snapshot_rewind":     (*index).rewind,
	"session.shutdown":            (*index).shutdown,
	"assistant.reasoning":         func(x *index) { x.current().thought = x.row.Text(x.r.content) },
	"subagent.started":            (*index).agentStarted,
}

// families lists the name prefixes of the events in the schema.
var families = []string{
	"session.", "assistant.", "tool.", "subagent.", "hook.", "system.", "permission.", "user_input.", "elicitation.",
	"sampling.", "mcp.", "external_tool.", "command.", "commands.", "skill.", "model.", "pending_messages.", "auto_mode",
	"exit_plan_mode.", "capabilities.", "extension", "canvas.", "factory.", "fusion.",
}

// known reports whether the published format defines a kind of event, even a kind
// that does not concern the conversation.
func known(kind string) bool {
	for _, family := range families {
		if strings.HasPrefix(kind, family) {
			return true
		}
	}
	return kind == "abort"
}

func (x *index) start() {
	if x.id != "" {
		return
	}
	x.id = x.row.String(x.r.session)
	x.started = x.row.Time(x.r.time)
	x.project, x.branch, x.release = x.row.String(x.r.cwd), x.row.String(x.r.branch), x.row.String(x.r.version)
	x.choose(x.r.selected)
}

// choose sets the model for replies without a recorded model. It ignores "auto", which is not a
// model.
func (x *index) choose(at span) {
	if name := x.lines.Name(x.row, at); name != "" && name != "auto" {
		x.model = name
	}
}

func (x *index) modelChange() {
	from, to := x.lines.Name(x.row, x.r.previous), x.lines.Name(x.row, x.r.newModel)
	if from == "" {
		from = x.model
	}
	x.choose(x.r.newModel)
	if from != "" && from != to { // from is empty for the first choice
		x.mark(model.ModelChanged, model.Detail{Key: "from", Value: from}, model.Detail{Key: "to", Value: to})
	}
}

func (x *index) failure() {
	detail := append(x.detail("what", x.r.kind), x.detail("message", x.r.note)...)
	x.mark(model.ErrorMarker, detail...)
}

func (x *index) truncated() {
	x.mark(model.HistoryCurated, x.detail("strategy", x.r.performer)...).unknown = true
}

func (x *index) compacted() {
	if x.r.failed {
		x.mark(model.ErrorMarker, append([]model.Detail{{Key: "what", Value: "compaction failed"}}, x.detail("message", x.r.failure)...)...)
		return
	}
	x.mark(model.Compaction, append(x.detail("trigger", x.r.trigger), x.detail("summary", x.r.summary)...)...).unknown = true
}

// rewind removes the event named by the rewind record, and all later events, from
// the conversation.
func (x *index) rewind() {
	at := x.r.upTo
	from, ok := x.place[maphash.Bytes(x.seed, x.row.Data[at.Start:at.End])]
	if !ok || at.Len() <= 2 {
		from = x.events
	}
	dropped := 0
	for _, t := range x.threads {
		for _, u := range t.units {
			if u.event >= from && !u.gone {
				u.gone = true
				dropped++
				for _, origin := range u.msg.Origin {
					x.lines.Gather("rewound events", "rewound", origin)
				}
			}
		}
	}
	x.mark(model.Rewind, model.Detail{Key: "messages", Value: int64(dropped)})
}

func (x *index) shutdown() {
	for _, m := range x.r.metrics {
		x.total.add(m)
	}
	if len(x.r.metrics) > 0 {
		x.replyEnd = false
	}
}

// agentStarted sets the title and the parent of a sub-agent's thread.
func (x *index) agentStarted() {
	r := &x.r
	call := x.row.String(r.callID)
	if agent := x.row.String(r.agent); agent != "" && call != "" {
		x.agents[agent] = call
	}
	if call == "" {
		return
	}
	t := x.thread(call)
	if t.title = x.row.String(r.display); t.title == "" {
		t.title = x.row.String(r.agentName)
	}
	if by := x.byCall[call]; by != nil && by != t {
		t.parent = by
	}
}
