package view

import "agentlens/internal/model"

// Pair returns the index of the result that shares a block with message i: the message is only one
// call, and the next message only answers it. ok is false for any other message. The call's
// [CallSummary] holds the outcome of that result.
func Pair(t *model.Thread, i int) (result int, ok bool) {
	if i < 0 || i+1 >= t.Len() {
		return 0, false
	}
	m := t.At(i)
	if m.Role != model.Assistant || len(m.Calls) != 1 || m.HasText() {
		return 0, false
	}
	at, known := m.Calls[0].Result.Get()
	if !known || at != i+1 || t.At(at).Role != model.Tool {
		return 0, false
	}
	return at, true
}
