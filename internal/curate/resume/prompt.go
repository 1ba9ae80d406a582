package resume

import (
	"encoding/json"
	"fmt"
	"strings"

	"agentlens/internal/model"
)

// A Prompt is the identity of the prompt a conversation was recorded for, held
// against the one it is to go on with. Names are "ns:key"; "" is not recorded.
type Prompt struct {
	Recorded string
	Against  string
	From     string // "--prompt" or "PromptRendered"; "" where there is nothing to hold against
}

// Matches reports whether the two agree; known is false where one of them is missing.
func (p Prompt) Matches() (matches, known bool) {
	return p.Recorded == p.Against, p.Recorded != "" && p.Against != ""
}

// Err is the [*Error] of a prompt that is another one; nil when it is not.
func (p Prompt) Err() error {
	if matches, known := p.Matches(); matches || !known {
		return nil
	}
	return &Error{PromptMismatch, fmt.Sprintf("the conversation was recorded for prompt %s, and %s is %s; clear the session and start again", p.Recorded, p.From, p.Against)}
}

// PromptOf holds the prompt of a thread against the one named "ns/key" or
// "ns:key"; without a name, against the prompt rendered last, where one is recorded.
func PromptOf(run *model.Run, t *model.Thread, name string) (Prompt, error) {
	p := Prompt{Recorded: t.Prompt}
	if name != "" {
		if !strings.Contains(name, ":") { // a namespace may hold slashes, a key does not
			if i := strings.LastIndexByte(name, '/'); i >= 0 {
				name = name[:i] + ":" + name[i+1:]
			}
		}
		p.Against, p.From = name, "--prompt"
		return p, nil
	}
	newest, err := newestRendered(run)
	if newest != "" {
		p.Against, p.From = newest, "PromptRendered"
	}
	return p, err
}

// newestRendered is the name of the prompt of the newest PromptRendered event;
// "" where none is recorded.
func newestRendered(run *model.Run) (string, error) {
	name, at := "", model.Time(0)
	for i := range run.Documents {
		d := &run.Documents[i]
		if d.Kind != "slice" || !strings.HasPrefix(d.Name, "PromptRendered") {
			continue
		}
		body, err := run.Body(d.Body)
		if err != nil {
			return "", err
		}
		var events []struct {
			Namespace string `json:"prompt_ns"`
			Key       string `json:"prompt_key"`
			At        string `json:"created_at"`
		}
		if json.Unmarshal([]byte(body), &events) != nil {
			continue // shown as a document whatever it is
		}
		for _, e := range events {
			if when := model.ParseTime(e.At); name == "" || when >= at {
				name, at = strings.Trim(e.Namespace+":"+e.Key, ":"), when
			}
		}
	}
	return name, nil
}
