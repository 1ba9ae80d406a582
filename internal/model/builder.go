package model

// A ThreadBuilder makes a [Thread]. Readers add messages in order, then calls,
// markers and edits, and call Build once.
type ThreadBuilder struct{ t *Thread }

// NewThread starts a thread.
func NewThread(id string, kind ThreadKind) *ThreadBuilder {
	return &ThreadBuilder{&Thread{ID: id, Kind: kind}}
}

// Thread gives access to the fields of the thread under construction.
func (b *ThreadBuilder) Thread() *Thread { return b.t }

// Add appends a message and returns its index.
func (b *ThreadBuilder) Add(m Message) int {
	m.Group = -1
	return int(b.t.msgs.Add(m))
}

// At gives access to message i, good until the next Add.
func (b *ThreadBuilder) At(i int) *Message { return b.t.msgs.At(int32(i)) }

// Len is the number of messages so far.
func (b *ThreadBuilder) Len() int { return b.t.msgs.Len() }

// Call appends a provider call and numbers it.
func (b *ThreadBuilder) Call(c Call) {
	c.Number = len(b.t.Calls) + 1
	b.t.Calls = append(b.t.Calls, c)
}

// Reply appends the provider call that message i is the reply of. The call was
// given the messages before i, and has the time of i where c has none.
func (b *ThreadBuilder) Reply(i int, c Call) {
	c.Given, c.Reply = i, Some(i)
	if c.At == 0 {
		c.At = b.At(i).At
	}
	b.Call(c)
}

// Edit appends an edit. Edits must come in the order of After.
func (b *ThreadBuilder) Edit(e Edit) { b.t.Edits = append(b.t.Edits, e) }

// Reconstructed marks calls as derived from the edits of the thread: those for
// which known reports true, given the latest edit before the call, or nil where
// there is none. A nil known accepts all calls, which is right for records that
// hold every change of what was sent. Without edits, no call is marked.
func (b *ThreadBuilder) Reconstructed(note string, known func(c *Call, latest *Edit) bool) {
	edits, next := b.t.Edits, 0
	for i := range b.t.Calls {
		c := &b.t.Calls[i]
		var latest *Edit
		for next < len(edits) && edits[next].After < c.Given {
			next++
		}
		if next > 0 {
			latest = &edits[next-1]
		}
		if len(edits) > 0 && (known == nil || known(c, latest)) {
			c.Basis, c.Note, c.Evidence = Derived, note, edits[max(next-1, 0)].Origin
		}
	}
}

// Build links calls with their results and returns the finished thread.
//
// A result belongs to the nearest earlier unanswered call of its id; a second
// result of an answered call belongs to that call; a result that stands before
// its call belongs to it too. A result whose record has no call id is unlinked
// and stays with the nearest earlier assistant message; where the calls of that
// message have no ids either, it answers the first of its name by place.
func (b *ThreadBuilder) Build() *Thread {
	t := b.t
	b.t = nil
	l := linker{t: t, open: map[string]callRef{}, shadowed: map[string][]callRef{}, early: map[string][]int32{}}
	for i := range t.Len() {
		l.link(int32(i), t.msgs.At(int32(i)))
	}
	l.badge()
	l.group()
	for i := range t.Calls {
		c := &t.Calls[i]
		if reply, ok := c.Reply.Get(); ok {
			t.msgs.At(int32(reply)).Call = int32(c.Number)
		}
	}
	return t
}

type callRef struct{ msg, call int32 }

type linker struct {
	t        *Thread
	open     map[string]callRef   // the latest unanswered call of an id
	shadowed map[string][]callRef // unanswered calls before that one, oldest first
	answered map[string]callRef   // see answeredCall
	early    map[string][]int32   // results seen before any call of their id
	prev     int32                // nearest earlier assistant message + 1
}

func (l *linker) link(i int32, m *Message) {
	switch {
	case m.Role == Assistant:
		l.prev = i + 1
		for j := range m.Calls {
			l.call(i, int32(j), &m.Calls[j])
		}
		if len(m.Calls) > 0 {
			m.Group = i
		}
	case m.Role == Tool && m.CallID == "":
		m.Badges = m.Badges.With(Unlinked)
		m.Group = l.prev - 1
		l.byPlace(i, m)
	case m.Role == Tool:
		l.result(i, m)
	}
}

func (l *linker) call(i, j int32, c *ToolCall) {
	c.Result = Maybe{}
	if c.Server {
		return
	}
	if early := l.early[c.ID]; len(early) > 0 && c.ID != "" {
		l.early[c.ID] = early[1:]
		l.join(callRef{i, j}, early[0])
		return
	}
	if before, ok := l.open[c.ID]; ok {
		l.shadowed[c.ID] = append(l.shadowed[c.ID], before)
	}
	l.open[c.ID] = callRef{i, j}
}

func (l *linker) result(i int32, m *Message) {
	if ref, ok := l.open[m.CallID]; ok {
		if before := l.shadowed[m.CallID]; len(before) > 0 {
			l.open[m.CallID] = before[len(before)-1]
			l.shadowed[m.CallID] = before[:len(before)-1]
		} else {
			delete(l.open, m.CallID)
		}
		l.join(ref, i)
		return
	}
	if ref, ok := l.answeredCall(i, m.CallID); ok {
		m.Group = ref.msg
		return
	}
	l.early[m.CallID] = append(l.early[m.CallID], i)
}

// answeredCall is the call before message end that has the id and was answered
// last. Few records answer a call twice: the others need not note every answer.
func (l *linker) answeredCall(end int32, id string) (callRef, bool) {
	if l.answered == nil {
		l.answered = map[string]callRef{}
		for i := range int(end) {
			calls := l.t.msgs.At(int32(i)).Calls
			for j := range calls {
				c := &calls[j]
				before, ok := l.answered[c.ID]
				if c.Result.Known() && (!ok || c.Result.plus1 > l.t.msgs.At(before.msg).Calls[before.call].Result.plus1) {
					l.answered[c.ID] = callRef{int32(i), int32(j)}
				}
			}
		}
	}
	ref, ok := l.answered[id]
	return ref, ok
}

// byPlace lets an unlinked result answer a call that has no id either.
func (l *linker) byPlace(i int32, m *Message) {
	if m.Group < 0 {
		return
	}
	calls := l.t.msgs.At(m.Group).Calls
	for j := range calls {
		c := &calls[j]
		if c.ID == "" && !c.Result.Known() && !c.Server && (m.ToolName == "" || m.ToolName == c.Name) {
			c.Result = Some(i)
			c.Failed = c.Failed || m.IsError
			if m.ToolName == "" {
				m.ToolName = c.Name
			}
			return
		}
	}
}

func (l *linker) join(ref callRef, result int32) {
	c := &l.t.msgs.At(ref.msg).Calls[ref.call]
	m := l.t.msgs.At(result)
	c.Result = Some(result)
	c.Failed = c.Failed || m.IsError
	m.Group = ref.msg
	m.CallID = c.ID // one string for both
	if m.ToolName == "" {
		m.ToolName = c.Name
	}
	if l.answered != nil {
		l.answered[c.ID] = ref
	}
}

// group lists each group's messages, group by group. Unlinked results make an
// assistant message without calls the head of a group.
func (l *linker) group() {
	t := l.t
	t.memberAt = make([]int32, t.Len()+1)
	for i := range t.Len() {
		g := t.msgs.At(int32(i)).Group
		if g < 0 {
			continue
		}
		if head := t.msgs.At(g); head.Group < 0 {
			head.Group = g
			t.memberAt[g+1]++
		}
		t.memberAt[g+1]++
	}
	for g := range t.Len() {
		t.memberAt[g+1] += t.memberAt[g]
	}
	t.members = make([]int32, t.memberAt[t.Len()])
	fill := make([]int32, t.Len())
	for i := range t.Len() {
		if g := t.msgs.At(int32(i)).Group; g >= 0 {
			t.members[t.memberAt[g]+fill[g]] = int32(i)
			fill[g]++
		}
	}
}

// badge marks pending calls and errors.
func (l *linker) badge() {
	for i := range l.t.Len() {
		m := l.t.msgs.At(int32(i))
		for j := range m.Calls {
			if m.Calls[j].Pending() {
				m.Badges = m.Badges.With(Pending)
			}
		}
		if m.IsError {
			m.Badges = m.Badges.With(ErrorBadge)
		}
	}
}
