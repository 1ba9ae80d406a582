package model

// A thread has very many messages and calls, so what few of them have is stored apart, and what many calls have in
// common is stored once.

// A MessageExtra holds what few messages have.
type MessageExtra struct {
	Step string // plan step or pipeline step
	// Source is the origin of a message that its reader derived ("derived: HITL answer").
	Source         string
	Turn, Sequence Maybe // as recorded
}

// Step returns the plan step or pipeline step of the message, or "".
func (m *Message) Step() string {
	if m.Extra == nil {
		return ""
	}
	return m.Extra.Step
}

// Source returns the origin of a message that its reader derived ("derived: HITL answer"), or "".
func (m *Message) Source() string {
	if m.Extra == nil {
		return ""
	}
	return m.Extra.Source
}

// Turn returns the recorded turn of the message.
func (m *Message) Turn() Maybe {
	if m.Extra == nil {
		return Maybe{}
	}
	return m.Extra.Turn
}

// Sequence returns the recorded sequence number of the message.
func (m *Message) Sequence() Maybe {
	if m.Extra == nil {
		return Maybe{}
	}
	return m.Extra.Sequence
}

// Extend returns the Extra of the message for writing. It adds one if there is none.
func (m *Message) Extend() *MessageExtra {
	if m.Extra == nil {
		m.Extra = &MessageExtra{}
	}
	return m.Extra
}

// A CallKind holds what many calls have in common. Calls share it, so it must not be changed.
type CallKind struct {
	Model string
	// Window is the recorded size of the model's context window in tokens, or 0.
	// See [Thread.Window].
	Window int64
	// Stop is the recorded stop reason and Tier the recorded service tier, or "".
	Stop, Tier string
}

// Model returns the model that the call asked, or "".
func (c *Call) Model() string {
	if c.Kind == nil {
		return ""
	}
	return c.Kind.Model
}

// Window returns the recorded size of the model's context window in tokens, or 0. See [Thread.Window].
func (c *Call) Window() int64 {
	if c.Kind == nil {
		return 0
	}
	return c.Kind.Window
}

// Stop returns the recorded stop reason, or "".
func (c *Call) Stop() string {
	if c.Kind == nil {
		return ""
	}
	return c.Kind.Stop
}

// Tier returns the recorded service tier, or "".
func (c *Call) Tier() string {
	if c.Kind == nil {
		return ""
	}
	return c.Kind.Tier
}

// OwnKind gives the call a Kind that no other call shares, and returns it for writing.
func (c *Call) OwnKind() *CallKind {
	k := &CallKind{}
	if c.Kind != nil {
		*k = *c.Kind
	}
	c.Kind = k
	return k
}

// A CallExtra holds what only calls with a recorded request have.
type CallExtra struct {
	// GivenList lists the messages that were available to the call, where they are not a prefix of the thread.
	GivenList []int32
	// Sent is the recorded request of this call, message by message. It is nil if the request is not recorded or
	// equals the messages given.
	Sent []Sent
	// Cut is the place at which the record of the request ends early. It is nil if the request is whole.
	Cut *Cut
	// Rendered are the messages of the recorded request where it carries the history as
	// text; Sent then holds the history in them. See [Call.InText].
	Rendered []SentText
	// Prompt is the rendered prompt of the call if it is recorded as one text.
	Prompt Ref
	// Tools are the names of the offered tools, if recorded.
	Tools []string
}

// GivenList returns the messages that were available to the call, or nil if they are the first [Call.Given].
func (c *Call) GivenList() []int32 {
	if c.Extra == nil {
		return nil
	}
	return c.Extra.GivenList
}

// Sent returns the recorded request message by message. It is nil if the request is not recorded or equals the
// messages given.
func (c *Call) Sent() []Sent {
	if c.Extra == nil {
		return nil
	}
	return c.Extra.Sent
}

// Cut returns the place at which the record of the request ends early, or nil if the request is whole.
func (c *Call) Cut() *Cut {
	if c.Extra == nil {
		return nil
	}
	return c.Extra.Cut
}

// Rendered returns the messages of the recorded request where it carries the history as text. See [Call.InText].
func (c *Call) Rendered() []SentText {
	if c.Extra == nil {
		return nil
	}
	return c.Extra.Rendered
}

// Prompt returns the rendered prompt of the call if it is recorded as one text.
func (c *Call) Prompt() Ref {
	if c.Extra == nil {
		return Ref{}
	}
	return c.Extra.Prompt
}

// Tools returns the names of the offered tools, if recorded.
func (c *Call) Tools() []string {
	if c.Extra == nil {
		return nil
	}
	return c.Extra.Tools
}

// Extend returns the Extra of the call for writing. It adds one if there is none.
func (c *Call) Extend() *CallExtra {
	if c.Extra == nil {
		c.Extra = &CallExtra{}
	}
	return c.Extra
}
