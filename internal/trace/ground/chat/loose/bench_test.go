package loose

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

const code = "\tif err := read(name); err != nil {\n\t\treturn fmt.Errorf(\"read %s: %w\", name, err)\n\t}\n"

// capture is a document as captures hold it: a request with a long history.
func capture(messages int) []byte {
	var b strings.Builder
	b.WriteString(`{"timestamp":"2026-01-02T03:04:05Z","request":{"method":"POST","body":{"model":"m","messages":[`)
	for i := range messages {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"role":"user","content":[{"type":"text","text":%q},{"type":"tool_result","tool_use_id":"toolu_%d","content":[{"type":"text","text":%q}],"is_error":false}]}`,
			strings.Repeat("Words of a user. ", 20), i, strings.Repeat(code, 10))
	}
	b.WriteString(`]}},"response":{"status":200}}`)
	return []byte(b.String())
}

// walk reads every text of a capture, level by level.
func walk(data []byte) (n int) {
	for _, raw := range Parse(data).Object("request").Object("body").Array("messages") {
		for _, part := range Of(raw).Array("content") {
			o := Of(part)
			n += len(o.Text("text"))
			for _, inner := range o.Array("content") {
				n += len(Of(inner).Text("text"))
			}
		}
	}
	return n
}

func BenchmarkDocument(b *testing.B) {
	data := capture(4000)
	b.Run("loose", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			if walk(data) == 0 {
				b.Fatal("no text")
			}
		}
	})
	b.Run("encoding/json into any", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			var v any
			if err := json.Unmarshal(data, &v); err != nil {
				b.Fatal(err)
			}
		}
	})
}
