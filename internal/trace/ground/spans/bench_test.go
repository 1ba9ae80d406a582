package spans

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"agentlens/internal/trace/ground/chat/chattest"
	"agentlens/internal/trace/ground/source"
)

// BenchmarkGrowing reads 400 provider calls that each repeat the history.
func BenchmarkGrowing(b *testing.B) {
	var text strings.Builder
	var history []string
	for i := range 400 {
		history = append(history, user(fmt.Sprint("q", i, strings.Repeat("x", 100))))
		reply := answer(fmt.Sprint("a", i, strings.Repeat("y", 100)))
		text.WriteString(strings.Replace(llm(fmt.Sprint(i), "", reply, history...), "{", fmt.Sprintf(`{"at":%d,`, 1_780_000_000+i), 1) + "\n")
		history = append(history, reply)
	}
	format := source.Format{Open: func(_ context.Context, f *source.File) (source.Reader, error) { return Open(plain(), f) }}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		f, err := source.FromReader("x.jsonl", strings.NewReader(text.String()))
		if err != nil {
			b.Fatal(err)
		}
		runs, err := chattest.All(format, f)
		if err != nil || runs[0].Threads[0].Len() != 800 {
			b.Fatal("not one conversation of 800 messages", err)
		}
	}
}
