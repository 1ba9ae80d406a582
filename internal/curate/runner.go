package curate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"agentlens/internal/model"
)

// A Runner runs a program of the user's for a strategy: command as it stands in
// the chain, input on its standard input, its standard output back. Whoever hands
// one in decides on the time a program may take, and keeps answers by input so
// that a program is not run twice. Its errors say what became of the program.
type Runner interface {
	Run(ctx context.Context, command string, input []byte) ([]byte, error)
}

// A Mask takes secrets out of what programs are given, and out of what a stage
// cuts out of texts to say elsewhere: a piece of a secret is not told from words.
type Mask interface {
	// Text is a text of a view without secrets: they are found in the whole
	// original, and masked wherever a piece of one remains.
	Text(original string, pieces []model.Piece) string
	// Arguments is the arguments of a call without secrets.
	Arguments(arguments string) string
}

// A Program is one that a chain runs.
type Program struct {
	Command string // as it stands in the chain
	Preset  string // the preset it comes from, "" when it was written out
}

// Programs lists the programs that a chain runs.
func (c Chain) Programs() []Program {
	var list []Program
	for i := range c {
		for _, p := range c[i].Spec.Params {
			v, ok := c[i].Args[p.Name]
			switch {
			case !ok:
			case p.Program:
				list = append(list, Program{v.Word, c[i].Preset})
			case v.Word == commandWord && v.Inner != nil:
				list = append(list, Program{v.Inner.Word, c[i].Preset})
			}
		}
	}
	return list
}

// commandWord is the source of summaries that runs a program.
const commandWord = "command"

// A sentMessage is a message as a program gets it and gives it back, in the shape
// of a chat completion request. Index is its place in what the program was given;
// it may be left out of what comes back.
type sentMessage struct {
	Index      *int       `json:"index,omitempty"`
	Role       string     `json:"role"`
	Content    sentText   `json:"content"`
	ToolCalls  []sentCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

// sentText is a content: a string, null, or a list of text parts.
type sentText string

// UnmarshalJSON implements [json.Unmarshaler].
func (t *sentText) UnmarshalJSON(data []byte) error {
	var text *string
	if json.Unmarshal(data, &text) == nil {
		*t = ""
		if text != nil {
			*t = sentText(*text)
		}
		return nil
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(data, &parts) != nil {
		return errors.New("content must be a text, null, or a list of text parts")
	}
	var b strings.Builder
	for _, p := range parts {
		if p.Type != "text" {
			return fmt.Errorf("content has a part of type %q: only text can be taken", p.Type)
		}
		b.WriteString(p.Text)
	}
	*t = sentText(b.String())
	return nil
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

// sent is the message at k of a view, masked; it needs texts that may be read.
func (v *Contents) sent(l *Layer, k Key) sentMessage {
	c := v.resolve(l.Keyspace, k, v.list[l.items[k].Variant])
	m := sentMessage{Role: l.Role(k).String(), Content: sentText(v.forProgram(c))}
	if !l.IsMessage(k) {
		return m
	}
	from := l.Thread.At(l.Place(k))
	m.ToolCallID = from.CallID
	for j, call := range from.Calls {
		if c.Calls != nil && !slices.Contains(c.Calls, j) || call.Server {
			continue
		}
		arguments := "{}"
		if !c.EmptyArgs {
			if arguments = v.size.body(call.Args); v.mask != nil && !v.unmasked {
				arguments = v.mask.Arguments(arguments)
			}
		}
		m.ToolCalls = append(m.ToolCalls, sentCall{call.ID, "function", sentFunction{call.Name, arguments}})
	}
	return m
}

func (v *Contents) forProgram(c Content) string {
	if v.unmasked {
		return model.Join(c.Original, c.Text)
	}
	return v.masked(c)
}

// masked is a text without its secrets, where a mask was handed in.
func (v *Contents) masked(c Content) string {
	if v.mask != nil {
		return v.mask.Text(c.Original, c.Text)
	}
	return model.Join(c.Original, c.Text)
}

// sentAll is the messages at keys, numbered.
func (v *Contents) sentAll(l *Layer, keys []Key) []sentMessage {
	messages := make([]sentMessage, len(keys))
	for i, k := range keys {
		messages[i] = v.sent(l, k)
		messages[i].Index = &i
	}
	return messages
}

// run gives a program messages and returns what it prints; what is the work it is
// for. A failure is kept for the end of the replay.
func (v *Contents) run(f *Facts, command, what string, messages []sentMessage) (output []byte, ok bool) {
	if v.size.err != nil {
		return nil, false
	}
	input, err := json.Marshal(messages)
	if err == nil {
		output, err = f.runner.Run(f.ctx, command, input)
	}
	switch {
	case err != nil:
		v.size.err = fmt.Errorf("%s at call %d: program %q: %w", what, f.Number, command, err)
	case len(bytes.TrimSpace(output)) == 0:
		v.size.err = fmt.Errorf("%s at call %d: program %q printed nothing; it gets the messages as JSON on its input and must print its answer", what, f.Number, command)
	}
	return output, v.size.err == nil
}

// summary runs the user's program over the messages at keys.
func (v *Contents) summary(f *Facts, command string, l *Layer, keys []Key) string {
	output, _ := v.run(f, command, "summary of "+group(len(keys))+" messages", v.sentAll(l, keys))
	return strings.TrimSpace(strings.ToValidUTF8(string(output), "\uFFFD"))
}

func (s *sizer) body(ref model.Ref) string {
	text, err := s.run.Body(ref)
	if err != nil && s.err == nil {
		s.err = err
	}
	return text
}
