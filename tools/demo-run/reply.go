package main

import "time"

// A block is one piece of a reply: thinking, text or a call.
type block struct {
	content any
	tokens  int
	call    *call
}

// A call asks for a tool; run is what the tool does.
type call struct {
	run   func(*session) outcome
	after func(*session) // what the client adds when the result is in
}

// An outcome is the result of a tool.
type outcome struct {
	text string
	// blocks writes the result as a list of text blocks.
	blocks []textBlock
	twin   any   // the client's own record of the result
	failed *bool // is_error, nil when the tool does not say
	took   time.Duration
}

// think returns readable thinking.
func think(text string) block {
	return block{content: thinkingBlock{Type: "thinking", Thinking: text}, tokens: tokens(text)}
}

// sealed returns n tokens of encrypted thinking.
func sealed(n int) block {
	return block{content: thinkingBlock{Type: "thinking"}, tokens: n}
}

// say returns a block of text.
func say(text string) block {
	return block{content: textBlock{"text", text}, tokens: tokens(text)}
}

// reply adds one reply of the model, with a record per block, and the results of its
// calls. The parent of a call is the previous block, that of a result is its call,
// and that of the next record is the last result.
func (s *session) reply(blocks ...block) {
	type open struct {
		*call
		id, record string
	}
	var (
		waiting []open
		message = "msg_01" + s.dice.letters(base58, 22)
		request = "req_011C" + s.dice.letters(base58, 20)
		sent    = s.window.send(s.dice)
		output  = 0
	)
	for _, b := range blocks {
		output += b.tokens
	}
	for i, b := range blocks {
		s.wait(time.Duration(900+14*b.tokens) * time.Millisecond)
		m := assistantMessage{Model: s.model, ID: message, Type: "message", Role: "assistant", Usage: sent}
		// The stream counts up: only the last record of a reply has the total.
		m.Usage.Output = 1 + len(blocks)
		if i == len(blocks)-1 {
			m.Usage.Output = output + 4
			m.StopReason = stopReason(b)
		}
		env, at := s.next("assistant")
		switch c := b.content.(type) {
		case thinkingBlock:
			c.Signature = s.dice.signature(120 + min(b.tokens, 180))
			m.Content = []any{c}
		case textBlock:
			m.Content = []any{c}
		case toolUse:
			c.ID = "toolu_01" + s.dice.letters(base58, 22)
			m.Content = []any{c}
			waiting = append(waiting, open{b.call, c.ID, at.UUID})
			s.tools++
		}
		s.write(assistantRecord{env, m, request, at})
	}
	s.window.add(output, "")
	for _, c := range waiting {
		s.leaf = c.record
		s.result(c.id, c.call)
	}
}

func stopReason(b block) *string {
	reason := "end_turn"
	if b.call != nil {
		reason = "tool_use"
	}
	return &reason
}

func (s *session) result(id string, c *call) {
	asked := s.leaf
	o := c.run(s)
	if s.err != nil {
		return
	}
	s.wait(o.took)
	env, at := s.next("user")
	r := toolResult{ToolUseID: id, Type: "tool_result", Content: o.text, IsError: o.failed}
	cost := tokens(o.text)
	if o.blocks != nil {
		r.Content = o.blocks
		for _, b := range o.blocks {
			cost += tokens(b.Text)
		}
	}
	s.write(userRecord{
		envelope:        env,
		Message:         userMessage{"user", []toolResult{r}},
		ToolUseResult:   o.twin,
		SourceAssistant: asked,
		stamp:           at,
	})
	s.window.add(cost, id)
	if c.after != nil {
		c.after(s)
	}
}
