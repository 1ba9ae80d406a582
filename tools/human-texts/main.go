// Human-texts lists the texts that a person typed in a Claude Code session, one per line of JSON. It shares no
// code with the reader of lens, so that its list can verify that reader:
//
//	go run -C tools ./human-texts SESSION.jsonl
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	for _, path := range os.Args[1:] {
		data, err := read(path)
		if err != nil {
			fmt.Fprintf(os.Stderr, "read %s: %v\n", path, err)
			os.Exit(1)
		}
		out := json.NewEncoder(os.Stdout)
		for _, t := range session(data).texts() {
			_ = out.Encode(t)
		}
	}
}

// A typed text is one string that a person wrote.
type typed struct {
	Line int    `json:"line"`
	UUID string `json:"uuid"`
	Text string `json:"text"`
	// Rewound reports that the record is on a branch that the person left.
	Rewound bool `json:"rewound"`
}

// A record is one value of a session file.
type record struct {
	Type, UUID        string
	ParentUUID        *string
	LogicalParentUUID *string
	IsSidechain       bool
	IsMeta            bool
	IsCompactSummary  bool
	RequestID         string
	Message           message
	Attachment        struct {
		Type   string
		Prompt any
	}
	Data struct {
		Type, AgentID string
		Message       struct {
			UUID, RequestID string
			Message         message
		}
	}
	line, at int
}

// A message is what the provider was sent or answered.
type message struct {
	ID, Model string
	Content   json.RawMessage
	Usage     struct {
		Input      int64 `json:"input_tokens"`
		Output     int64 `json:"output_tokens"`
		CacheRead  int64 `json:"cache_read_input_tokens"`
		CacheWrite int64 `json:"cache_creation_input_tokens"`
		ByLifetime struct {
			Hour int64 `json:"ephemeral_1h_input_tokens"`
		} `json:"cache_creation"`
	}
}

// A block is a content block of a message.
type block struct {
	Type, Text, ID string
	ToolUseID      string `json:"tool_use_id"`
}

// blocks returns the content as blocks. A string is one text block.
func (r *record) blocks() (list []block) {
	var text string
	if json.Unmarshal(r.Message.Content, &text) == nil {
		return []block{{Type: "text", Text: text}}
	}
	_ = json.Unmarshal(r.Message.Content, &list)
	return list
}

// injected lists the beginnings of texts that Claude Code wrote into the user's turn.
var injected = []string{
	"<command-name>", "<command-message>", "<local-command-stdout>", "<local-command-stderr>", "<local-command-caveat>",
	"<system-reminder>", "<task-notification>", "<ide_opened_file>", "<bash-input>", "<bash-stdout>",
	"[Request interrupted by user", "Operation stopped by hook", "Implement the following plan:",
}

type records []*record

// read returns the bytes of a file, uncompressed.
func read(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil || !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		return data, err
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// session returns the records of a file. A line may hold several values. Only the first
// record of an id counts.
func session(data []byte) (list records) {
	seen := map[string]bool{}
	for n, line := range bytes.Split(data, []byte("\n")) {
		values := json.NewDecoder(bytes.NewReader(line))
		for {
			var r record
			err := values.Decode(&r)
			if _, other := err.(*json.UnmarshalTypeError); err != nil && !other {
				break
			}
			if r.UUID == "" || seen[r.UUID] {
				continue
			}
			seen[r.UUID] = true
			r.line, r.at = n+1, len(list)
			list = append(list, &r)
		}
	}
	return list
}

// texts returns the texts that a person typed, in order.
func (list records) texts() (all []typed) {
	on := list.current()
	for _, r := range list {
		if r.Type == "attachment" && r.Attachment.Type == "queued_command" {
			if text, ok := r.Attachment.Prompt.(string); ok && byPerson(text) {
				all = append(all, typed{r.line, r.UUID, text, !on[r]})
			}
		}
		if r.Type != "user" || r.IsSidechain || r.IsMeta || r.IsCompactSummary {
			continue
		}
		for _, b := range r.blocks() {
			if b.Type == "text" && byPerson(b.Text) {
				all = append(all, typed{r.line, r.UUID, b.Text, !on[r]})
			}
		}
	}
	return all
}

func byPerson(text string) bool {
	for _, start := range injected {
		if strings.HasPrefix(strings.TrimSpace(text), start) {
			return false
		}
	}
	return strings.TrimSpace(text) != ""
}

// current returns the records of the current branch: those from which the last
// message of each context descends, and those with results of their calls.
func (list records) current() map[*record]bool {
	on, byID := map[*record]bool{}, map[string]*record{}
	for _, r := range list {
		byID[r.UUID] = r
	}
	calls, replies := map[string]bool{}, map[string]bool{}
	for r := list.message(len(list)); r != nil; r = list.above(r, byID) {
		if on[r] {
			break // a ring: no genuine session has one
		}
		on[r] = true
		replies[r.Message.ID] = true
	}
	delete(replies, "")
	for _, r := range list {
		for _, b := range r.blocks() {
			if b.Type == "tool_use" && (on[r] || replies[r.Message.ID]) {
				calls[b.ID] = true
			}
		}
	}
	for _, r := range list {
		for _, b := range r.blocks() {
			if b.Type == "tool_result" && calls[b.ToolUseID] {
				on[r] = true
			}
		}
	}
	return on
}

// above returns the record before r in the conversation. Before the root of a context
// that is the last message of the context before it.
func (list records) above(r *record, byID map[string]*record) *record {
	up := r.ParentUUID
	if up == nil {
		up = r.LogicalParentUUID
	}
	if up == nil {
		return list.message(r.at)
	}
	if p := byID[*up]; p != nil || r.at == 0 {
		return p
	}
	return list[r.at-1]
}

// message returns the last message of the main conversation before record end, or nil.
func (list records) message(end int) *record {
	for i := end - 1; i >= 0; i-- {
		if r := list[i]; !r.IsSidechain && (r.Type == "user" || r.Type == "assistant" || r.Type == "attachment") {
			return r
		}
	}
	return nil
}
