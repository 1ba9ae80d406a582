package view

import (
	"strings"
	"testing"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/source"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/uitest"
)

// conversation returns a reader of a thread with one call and its result.
func conversation(t *testing.T, name, args, result string) *Reader {
	t.Helper()
	texts := &source.Arena{}
	b := model.NewThread("t", "main")
	b.Add(model.Message{Role: model.Assistant, Calls: []model.ToolCall{{ID: "1", Name: name, Args: texts.Add(args, "args")}}})
	b.Add(model.Message{Role: model.Tool, CallID: "1", ToolName: name, Parts: []model.Part{{Kind: model.Text, Body: texts.Add(result, "result")}}})
	th := b.Build()
	run := &model.Run{ID: "r", Project: "/home/dev/shop", Threads: []*model.Thread{th}, Bodies: texts}
	return &Reader{Run: run, Thread: th, Gate: uitest.Gate(t)}
}

func TestCallRow(t *testing.T) {
	r := conversation(t, "Bash", `{"command":"cd /home/dev/shop && go test ./..."}`, "Exit code 1\n\x1b[31m--- FAIL: TestRound\x1b[0m\nFAIL")
	call, result := r.Summarise(Request{Message: r.Thread.At(0)}), r.Summarise(Request{Message: r.Thread.At(1)})
	const want = "Bash go test ./... exit 1 · FAIL: TestRound"
	if got := call.Calls[0].Words(true); got != want || !call.Calls[0].Failed {
		t.Errorf("the call: %q, want %q", got, want)
	}
	if result.Answers == nil || result.Answers.Words(true) != want || result.Text.String() != want {
		t.Errorf("the result: %+v", result)
	}
	if at, ok := Pair(r.Thread, 0); !ok || at != 1 {
		t.Errorf("the call and its result are no pair: %d, %v", at, ok)
	}
	if _, ok := Pair(r.Thread, 1); ok {
		t.Error("a result is no pair")
	}
}

// Neither rows nor drawn bodies show a secret, wherever it is.
func TestDrawnCallsAreMasked(t *testing.T) {
	secret := uitest.Secret()
	for _, c := range [][3]string{
		{"Bash", `{"command":"curl -H 'Authorization: Bearer ` + secret + `' x"}`, "error: " + secret + "\nExit code 1"},
		{"Edit", `{"file_path":"a.go","old_string":"key = \"` + secret + `\"","new_string":"key = \"\""}`, "Edit applied"},
		{"unknown", `{"api_key":"` + secret + `"}`, `{"key":"` + secret + `"}`},
	} {
		r := conversation(t, c[0], c[1], c[2])
		var all strings.Builder
		for i := range 2 {
			req := Request{Message: r.Thread.At(i)}
			sum := r.Summarise(req)
			all.WriteString(sum.Text.String())
			for j := range sum.Calls {
				all.WriteString(sum.Calls[j].Words(true))
			}
			all.WriteString(kit.PlainText(r.Blocks(req)))
		}
		if strings.Contains(all.String(), secret) || !strings.Contains(all.String(), "REDACTED") {
			t.Errorf("%s: %s", c[0], all.String())
		}
	}
}
