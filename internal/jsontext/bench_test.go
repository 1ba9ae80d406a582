package jsontext

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

const code = "\tif err := read(name); err != nil {\n\t\treturn fmt.Errorf(\"read %s: %w\", name, err)\n\t}\n"

// capture returns a captured request with a history of the given number of messages.
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
	body := Split(Split(Whole(data).Object["request"]).Object["body"])
	for _, raw := range Split(body.Object["messages"]).Array {
		for _, part := range Split(Split(raw).Object["content"]).Array {
			o := Split(part).Object
			n += len(text(o["text"]))
			if len(o["content"]) == 0 {
				continue
			}
			for _, inner := range Split(o["content"]).Array {
				n += len(text(Split(inner).Object["text"]))
			}
		}
	}
	return n
}

func BenchmarkRead(b *testing.B) {
	data := capture(4000)
	b.Run("jsontext", func(b *testing.B) {
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
