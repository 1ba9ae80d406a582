package otlpgenai

import (
	"bytes"
	"encoding/json"
	"slices"

	"agentlens/internal/jsontext"
	"agentlens/internal/trace/ground/members"
)

// sessionNames returns the attributes that hold the session of a span, the first of them first.
func sessionNames() []string {
	return []string{"gen_ai.conversation.id", "session.id", "langfuse.session.id", "ai.telemetry.metadata.sessionId", "traceloop.association.properties.session_id"}
}

// sessionOf returns the session of a span, or "".
func sessionOf(o members.Object) string {
	if list := o.Raw("attributes"); list != nil && list[0] == '[' && !hasKey(list, sessionNames()) {
		return "" // most spans; the attributes of the others are read twice
	}
	return attributesOf(o).text(sessionNames()...)
}

// hasKey reports whether a list of pairs may have one of the keys. It makes nothing of the other pairs.
func hasKey(list json.RawMessage, keys []string) (found bool) {
	s := jsontext.New(list)
	s.Array(func() {
		s.Object(func(name []byte) {
			switch {
			case string(name) == "key":
				at := s.Skip()
				key := bytes.Trim(s.Buf[at.Start:at.End], `"`)
				found = found || bytes.IndexByte(key, '\\') >= 0 || slices.ContainsFunc(keys, func(k string) bool { return k == string(key) })
			case bytes.IndexByte(name, '\\') >= 0: // it may be key, too
				found = true
			}
		})
	})
	return found || s.Err != nil
}
