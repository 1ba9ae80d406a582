package langgraph

import (
	"bytes"
	"encoding/json"
	"fmt"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/chat"
	"agentlens/internal/trace/ground/rows"
)

// A history combines the states of one namespace.
type history struct {
	rows    *rows.Builder
	b       *model.ThreadBuilder
	copied  map[string]bool // replies that another thread of the run contains
	index   map[string]int32
	text    map[string]string // latest text of a message, by key
	last    []json.RawMessage // messages of the previous state
	keys    []string          // keys of those messages
	summary string
}

func newHistory(d *rows.Builder, id string, copied map[string]bool) *history {
	return &history{
		rows: d, b: model.NewThread(id, "main"), copied: copied, index: map[string]int32{}, text: map[string]string{},
	}
}

// add applies the next state. nodes lists the nodes that wrote it, if recorded.
func (h *history) add(s state, nodes []string, origin model.Ref, place string) {
	same := 0
	for same < len(s.messages) && same < len(h.last) && bytes.Equal(s.messages[same], h.last[same]) {
		same++
	}
	keys := append(make([]string, 0, len(s.messages)), h.keys[:same]...)
	seen := make(map[string]bool, len(s.messages))
	for _, key := range keys {
		seen[key] = true
	}
	fresh := make([]stored, 0, len(s.messages)-same)
	for _, raw := range s.messages[same:] {
		m, _ := parseMessage(raw)
		key := m.key()
		for n := 2; seen[key]; n++ { // the state contains an equal message earlier
			key = fmt.Sprintf("%s\x00%d", m.key(), n)
		}
		seen[key] = true
		keys, fresh = append(keys, key), append(fresh, m)
	}
	h.removed(seen, s, nodes, origin)
	for i := range fresh {
		h.message(&fresh[i], keys[same+i], s.at, fmt.Sprintf("%s, messages[%d]", place, same+i))
	}
	if s.others > 0 {
		h.rows.Warn(model.WarnUnknownRecord, "entries of the messages that are none are in the document of their checkpoint", place)
	}
	h.last, h.keys, h.summary = s.messages, keys, s.summary
}

// message adds m or, if the thread has a message with the same key, replaces that
// message.
func (h *history) message(m *stored, key string, at model.Time, place string) {
	dec := chat.Decoder{Keep: h.rows.Keep}
	if i, ok := h.index[key]; ok {
		if h.text[key] != m.text() {
			v := m.decode(dec, h.b.At(int(i)).At, place)
			v.Badges = v.Badges.With(model.Changed)
			v.Origin = append(h.b.At(int(i)).Origin, v.Origin...)
			*h.b.At(int(i)) = v
			h.text[key] = m.text()
			h.rows.Warn(model.WarnReplacedMessage, "a later state has another text under a message's id: the later one is shown, the earlier is in the checkpoints", place)
		}
		return
	}
	h.rows.Message()
	i := h.b.Add(m.decode(dec, at, place))
	h.index[key], h.text[key] = int32(i), m.text()
	id := m.fields.Text("id")
	if m.role != model.Assistant || id != "" && h.copied[id] {
		return
	}
	h.copied[id] = true
	rows.Reply(h.b, i, m.model(), m.usage())
}

// removed adds a marker and an edit for messages missing from the new state.
func (h *history) removed(seen map[string]bool, s state, nodes []string, origin model.Ref) {
	var left []int32
	gone := 0
	for _, key := range h.keys {
		if seen[key] {
			left = append(left, h.index[key])
		} else {
			gone++
		}
	}
	if gone == 0 {
		return
	}
	after := h.b.Len() - 1
	mark := model.Marker{Kind: model.HistoryCurated, After: after, At: s.at, Origin: origin, Detail: []model.Detail{
		{Key: "removed", Value: int64(gone)}, {Key: "kept", Value: int64(len(left))},
	}}
	reason := fmt.Sprintf("%d messages were removed from the state after message %d", gone, after)
	if s.summary != "" && s.summary != h.summary {
		mark.Kind = model.Compaction
		mark.Detail = append(mark.Detail, model.Detail{Key: "summary", Value: chat.Cut(s.summary, 4000)})
		reason += "; the summary beside them is no message, and whether it was sent is not recorded"
	}
	if len(nodes) > 0 {
		mark.Detail = append(mark.Detail, model.Detail{Key: "nodes", Value: nodes})
	}
	t := h.b.Thread()
	t.Markers = append(t.Markers, mark)
	h.b.Edit(model.Edit{
		Kind: model.Restart, After: after, From: after + 1, Targets: left, Basis: model.Derived, Reason: reason, Origin: origin,
	})
}
