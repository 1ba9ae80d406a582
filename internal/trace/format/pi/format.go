package pi

import (
	"context"

	"agentlens/internal/jsontext"
	"agentlens/internal/trace/ground/lines"
	"agentlens/internal/trace/ground/source"
)

// Format describes Pi sessions.
func Format() source.Format {
	return source.Format{
		Name: "pi", Title: "Pi session", Proven: "genuine files",
		Places: []string{"${PI_CODING_AGENT_DIR:-~/.pi/agent}/sessions/*/*.jsonl", "~/.openclaw/agents/*/sessions/*.jsonl"},
		Sniff:  sniff, Open: open,
	}
}

// sniff reports whether the first line is a session header with an id and a time,
// and without members that only other programs write.
func sniff(f *source.File) bool {
	lines := f.Lines()
	if len(lines) == 0 {
		return false
	}
	var typ string
	has := map[string]bool{}
	s := jsontext.New(lines[0])
	s.Object(func(key []byte) {
		name := string(key)
		has[name] = true
		if name == "type" {
			typ = s.Text()
		}
	})
	return s.End() && typ == "session" && has["id"] && has["timestamp"] && (has["cwd"] || has["version"]) &&
		!has["payload"] && !has["data"] && !has["sessionId"] && !has["message"]
}

func open(_ context.Context, f *source.File) (source.Reader, error) {
	return lines.Session(f, func(b *lines.Builder) lines.Index { return newIndex(b) }), nil
}
