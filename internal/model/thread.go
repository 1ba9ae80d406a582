package model

import "slices"

// ThreadKind names what a thread is: "main", "evaluation", "loop", "step",
// "sub-agent", "task". Readers choose; the screen shows it.
type ThreadKind string

// A Thread is one linear conversation in a run. Make one with a [ThreadBuilder].
type Thread struct {
	ID, Title string
	Kind      ThreadKind
	ParentID  string
	Prompt    string // name of the prompt it was rendered from, where recorded
	Badges    Badges
	Calls     []Call
	Markers   []Marker
	// Edits are in the order of After; see [Edit].
	Edits []Edit

	msgs List[Message]
	// members lists the messages of all groups, group by group; group g has
	// those from memberAt[g] to memberAt[g+1].
	members  []int32
	memberAt []int32
}

// Len is the number of messages.
func (t *Thread) Len() int { return t.msgs.Len() }

// Message returns message i, which must be in [0, Len).
func (t *Thread) Message(i int) Message { return *t.msgs.At(int32(i)) }

// At is Message without the copy. The message must not be written to.
func (t *Thread) At(i int) *Message { return t.msgs.At(int32(i)) }

// Members returns the indices of the messages of the group that message i
// belongs to, in order; nil when it belongs to none.
func (t *Thread) Members(i int) []int32 {
	g := t.msgs.At(int32(i)).Group
	if g < 0 {
		return nil
	}
	return t.members[t.memberAt[g]:t.memberAt[g+1]:t.memberAt[g+1]]
}

// Pending lists the ids of the calls without a result, in order.
func (t *Thread) Pending() []string {
	var ids []string
	for i := range t.Len() {
		m := t.msgs.At(int32(i))
		for j := range m.Calls {
			if m.Calls[j].Pending() {
				ids = append(ids, m.Calls[j].ID)
			}
		}
	}
	return ids
}

// ToolCalls counts the calls made in the thread.
func (t *Thread) ToolCalls() int {
	n := 0
	for i := range t.Len() {
		n += len(t.msgs.At(int32(i)).Calls)
	}
	return n
}

// Failed lists the messages that tell of failed calls, in order: each its result, or the
// message that makes it where the thread has none. It says how many calls failed: one
// message may make several, and a result that answers no call counts as one.
func (t *Thread) Failed() (messages []int32, calls int) {
	told := map[int32]bool{}
	for i := range t.Len() {
		m := t.msgs.At(int32(i))
		for j := range m.Calls {
			c := &m.Calls[j]
			result, answered := c.Result.Get()
			if !c.Failed && (!answered || !t.msgs.At(int32(result)).IsError) {
				continue
			}
			calls++
			told[int32(c.Result.Or(i))] = true
		}
	}
	for i := range t.Len() {
		if m := t.msgs.At(int32(i)); !told[int32(i)] && m.Role == Tool && m.IsError {
			told[int32(i)] = true
			calls++
		}
	}
	for i := range told {
		messages = append(messages, i)
	}
	slices.Sort(messages)
	return messages, calls
}

// LastModel is the model of the last call that names one, or "".
func (t *Thread) LastModel() string {
	for i := len(t.Calls) - 1; i >= 0; i-- {
		if t.Calls[i].Model != "" {
			return t.Calls[i].Model
		}
	}
	return ""
}

// Window is the context window in tokens that the record tells of the last call which
// names its model or tells one; 0 where it tells none.
func (t *Thread) Window() int64 {
	for i := len(t.Calls) - 1; i >= 0; i-- {
		if c := &t.Calls[i]; c.Window > 0 || c.Model != "" {
			return c.Window
		}
	}
	return 0
}

// CallAfter returns the number of the first provider call that was given
// message i, or len(Calls)+1 when no recorded call was.
func (t *Thread) CallAfter(i int) int {
	lo, hi := 0, len(t.Calls)
	for lo < hi {
		mid := (lo + hi) / 2
		if t.Calls[mid].Given > i {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo + 1
}
