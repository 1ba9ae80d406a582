package kit

import (
	"encoding/json"
	"strings"

	"agentlens/internal/jsontext"
)

// CutText cuts s to at most n bytes, between characters.
func CutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

// BytesOf formats a size in bytes.
func BytesOf(n int64) Words {
	if n < 1000 {
		return Words(Figure(n)) + " B"
	}
	return Figure(n) + "B"
}

// CompactArgs formats the arguments of a tool call on one line: q="x", n=3. It returns
// anything but a small JSON object unchanged.
func CompactArgs(args string) string {
	if len(args) > maxPretty {
		return args
	}
	if args = jsontext.Readable(args); len(args) > 4096 || !strings.HasPrefix(strings.TrimSpace(args), "{") {
		return args
	}
	d := json.NewDecoder(strings.NewReader(args))
	if _, err := d.Token(); err != nil {
		return args
	}
	var parts []string
	for d.More() {
		key, err := d.Token()
		name, ok := key.(string)
		var value json.RawMessage
		if err != nil || !ok || d.Decode(&value) != nil {
			return args
		}
		parts = append(parts, name+"="+string(value))
	}
	return strings.Join(parts, ", ")
}
