package codex

import (
	"agentlens/internal/model"
	"agentlens/internal/trace/ground/chat"
)

// event reads an event for what it tells beside the conversation it mirrors.
func (x *index) event(kind string) {
	r := &x.r
	switch kind {
	case "token_count":
		x.tokenCount()
	case "task_started", "turn_started":
		x.turn()
		if x.turnTold = x.r.window > 0; x.turnTold {
			x.window = x.r.window
		}
	case "task_complete", "turn_complete", "turn_aborted":
		x.open = -1
	case "thread_rolled_back":
		x.rollback(r.turns)
	case "context_compacted":
		x.compactionTold()
	case "thread_name_updated":
		x.title = x.row.String(r.title)
	case "error", "stream_error":
		x.mark(model.ErrorMarker, model.Detail{Key: "what", Value: kind}, model.Detail{Key: "message", Value: chat.Cut(x.row.String(r.message), 500)})
	case "exec_command_end", "patch_apply_end", "mcp_tool_call_end":
		if r.failed || r.exit != 0 {
			x.failed[x.row.String(r.callID)] = true
		}
	}
}

// rollback takes the last turns out of the thread, as the program does: from the
// n-th last prompt on; all prompts when there are fewer.
func (x *index) rollback(n int64) {
	x.open = -1
	from := -1
	for u := len(x.units) - 1; u >= 0 && n > 0; u-- {
		if x.units[u].prompt && !x.units[u].gone {
			from = u
			n--
		}
	}
	if from < 0 {
		return
	}
	dropped := 0
	for u := from; u < len(x.units); u++ {
		if !x.units[u].gone {
			x.units[u].gone = true
			dropped++
			for _, origin := range x.units[u].msg.Origin {
				x.lines.Gather("rewound records", "rewound", origin)
			}
		}
	}
	for i := range x.marks { // a compaction that was rolled back does not hold
		if x.marks[i].unit > from {
			x.marks[i].edit = nil
		}
	}
	x.mark(model.Rewind, model.Detail{Key: "turns", Value: x.r.turns}, model.Detail{Key: "messages", Value: int64(dropped)})
}

// compactionTold reads a mirror of a compaction: an event, or a sealed item. It
// makes a marker only where no record of the compaction stands beside it.
func (x *index) compactionTold() {
	x.open = -1
	if m := x.lastCompaction(); m != nil && !m.mirrored && !m.event {
		m.mirrored = true
		return
	}
	if m := x.lastCompaction(); m != nil && m.unit == len(x.units) {
		return
	}
	x.mark(model.Compaction, model.Detail{Key: "note", Value: "the record tells that the history was compacted, not to what"}).event = true
}

func (x *index) lastCompaction() *mark {
	for i := len(x.marks) - 1; i >= 0; i-- {
		if x.marks[i].Kind == model.Compaction {
			return &x.marks[i]
		}
	}
	return nil
}
