package curate

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"agentlens/internal/model"
)

// A Runner runs a program of the user's for a strategy: command as it stands in
// the chain, input on its standard input, its standard output back. Whoever
// hands one in decides on the time a program may take, masks secrets in the
// input, and keeps answers by input so that a program is not run twice.
type Runner interface {
	Run(ctx context.Context, command string, input []byte) ([]byte, error)
}

// A sentMessage is a message as a program gets it, in the shape of a chat
// completion request.
type sentMessage struct {
	Role       string     `json:"role"`
	Content    string     `json:"content"`
	ToolCalls  []sentCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

type sentCall struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"`
	Function sentFunction `json:"function"`
}

type sentFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// sent is the message at k of a view; it needs texts that may be read.
func (v *variants) sent(l *layer, k key) sentMessage {
	c := v.resolve(l.keyspace, k, v.list[l.items[k].variant])
	m := sentMessage{Role: l.role(k).String(), Content: flatten(c.original, c.text)}
	if !l.isMessage(k) {
		return m
	}
	from := l.thread.At(l.message(k))
	m.ToolCallID = from.CallID
	for j, call := range from.Calls {
		if c.calls != nil && !contains(c.calls, j) || call.Server {
			continue
		}
		arguments := "{}"
		if !c.emptyArgs {
			arguments = v.size.body(call.Args)
		}
		m.ToolCalls = append(m.ToolCalls, sentCall{call.ID, "function", sentFunction{call.Name, arguments}})
	}
	return m
}

// summary runs the user's program over the messages at keys. A failure is kept
// for the end of the replay.
func (v *variants) summary(f *facts, command string, l *layer, keys []key) string {
	if v.size.err != nil {
		return ""
	}
	messages := make([]sentMessage, len(keys))
	for i, k := range keys {
		messages[i] = v.sent(l, k)
	}
	input, err := json.Marshal(messages)
	if err != nil {
		v.size.err = err
		return ""
	}
	output, err := f.runner.Run(f.ctx, command, input)
	text := strings.TrimSpace(strings.ToValidUTF8(string(output), "\uFFFD"))
	switch {
	case err != nil:
		v.size.err = fmt.Errorf("summary of %s messages at call %d by command %q: %w", group(len(keys)), f.number, command, err)
	case text == "":
		v.size.err = fmt.Errorf("summary of %s messages at call %d: command %q printed nothing; it gets them as JSON on its input and must print a text", group(len(keys)), f.number, command)
	}
	return text
}

func (s *sizer) body(ref model.Ref) string {
	text, err := s.run.Body(ref)
	if err != nil && s.err == nil {
		s.err = err
	}
	return text
}
