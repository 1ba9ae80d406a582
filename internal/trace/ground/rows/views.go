package rows

import "agentlens/internal/model"

// Reconstructed marks the calls of a thread with edits as derived from them.
// It holds for records that tell every change of what was sent, so that before
// the first the whole history was. note says what they rest on and what is missing.
func Reconstructed(t *model.Thread, note string) {
	if len(t.Edits) == 0 {
		return
	}
	next := 0
	for i := range t.Calls {
		c := &t.Calls[i]
		for next < len(t.Edits) && t.Edits[next].After < c.Given {
			next++
		}
		c.Basis = model.Derived
		c.Note = note
		c.Evidence = t.Edits[max(next-1, 0)].Origin
	}
}

// Reply adds the call that message i is the reply of.
func Reply(b *model.ThreadBuilder, i int, name string, usage model.Usage) {
	t, m := b.Thread(), b.At(i)
	t.Calls = append(t.Calls, model.Call{
		Number: len(t.Calls) + 1, Given: i, Reply: int32(i), At: m.At, Model: name, Usage: usage, Evidence: m.Origin[0],
	})
}

// NewMessage is a message without turn and sequence.
func NewMessage(role model.Role, id string, at model.Time, origin ...model.Ref) model.Message {
	return model.Message{Role: role, ID: id, At: at, Turn: -1, Sequence: -1, Origin: origin}
}
