package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"agentlens/internal/demo"
	"agentlens/tools/internal/tree"
)

func TestEmbeddedIsCurrent(t *testing.T) {
	want, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	again, err := generate()
	if err != nil || !bytes.Equal(want, again) {
		t.Fatalf("two runs give different records (error %v)", err)
	}
	f, err := demo.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, err := f.ReadAll(16 << 20)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("demo.jsonl.gz is out of date; run: go run -C tools ./demo-run")
	}
}

func TestSecretsOnlyInRecords(t *testing.T) {
	records, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	secrets := fakeSecrets()
	if len(secrets) != 9 {
		t.Errorf("%d kinds of secrets, want 9", len(secrets))
	}
	for _, s := range secrets {
		if !bytes.Contains(records, []byte(s.value)) {
			t.Errorf("the run has no %s", s.kind)
		}
	}
	if left := regexp.MustCompile(`\{\{[a-z ]+\}\}`).Find(records); left != nil {
		t.Errorf("the placeholder %s was left", left)
	}
	root, err := tree.Root()
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{".", filepath.Join(root, "internal", "demo")} {
		lacksSecrets(t, dir, secrets)
	}
}

func lacksSecrets(t *testing.T, dir string, secrets []secret) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, s := range secrets {
			if bytes.Contains(data, []byte(s.value)) {
				t.Errorf("%s contains the %s as plain text", path, s.kind)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestSummaryForgets checks that the conditions are in the first prompt but not in the summary. The story depends
// on this.
func TestSummaryForgets(t *testing.T) {
	s, err := newSession()
	if err != nil {
		t.Fatal(err)
	}
	prompt, summary := s.text("prompt"), s.text("summary")
	if s.err != nil {
		t.Fatal(s.err)
	}
	for _, phrase := range []string{"Never touch", "checksum", "integer cents", "public API", "partner portal"} {
		if !strings.Contains(prompt, phrase) {
			t.Errorf("the prompt does not say %q", phrase)
		}
		if strings.Contains(summary, phrase) {
			t.Errorf("the summary still says %q", phrase)
		}
	}
}

func TestTerminalHazards(t *testing.T) {
	hits := map[string]int{"\x1b[31m": 0, "\x1b]0;": 0, "株式会社": 0, "🧾": 0}
	for _, r := range load(t) {
		for _, b := range r.results() {
			for text := range hits {
				hits[text] += strings.Count(string(b.text()), text)
			}
		}
	}
	for text, n := range hits {
		if n == 0 {
			t.Errorf("no tool result has %q", text)
		}
	}
}

// line is a record as a reader decodes it.
type line struct {
	Type, UUID, Subtype string
	ParentUUID          string
	LogicalParentUUID   string
	IsSidechain         bool
	IsCompactSummary    bool
	AgentID             string
	RequestID           string
	Timestamp           string
	Source              string `json:"sourceToolAssistantUUID"`
	Message             struct {
		ID, Model, Role string
		StopReason      string `json:"stop_reason"`
		Content         json.RawMessage
		Usage           usage
	}
	Compact struct{ PreTokens, PostTokens int } `json:"compactMetadata"`
	Micro   struct {
		PreTokens, TokensSaved int
		CompactedToolIDs       []string
	} `json:"microcompactMetadata"`
}

type content struct {
	Type, ID, Name, Thinking, Signature string
	ToolUseID                           string `json:"tool_use_id"`
	IsError                             bool   `json:"is_error"`
	Content                             json.RawMessage
}

// text is the content of a result that is one string.
func (c content) text() string {
	var text string
	_ = json.Unmarshal(c.Content, &text) // a list of blocks gives ""
	return text
}

func (l *line) blocks() []content {
	var list []content
	_ = json.Unmarshal(l.Message.Content, &list) // a string gives none
	return list
}

func (l *line) results() []content {
	if l.Type != "user" {
		return nil
	}
	return l.blocks()
}

func load(t *testing.T) []*line {
	t.Helper()
	records, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	var lines []*line
	for data := range bytes.Lines(records) {
		l := new(line)
		if err := json.Unmarshal(data, l); err != nil {
			t.Fatalf("line %d: %v", len(lines)+1, err)
		}
		lines = append(lines, l)
	}
	return lines
}

// live marks the records of the main conversation that were not rewound: the
// chain from the newest record, the other records of its replies, and the results
// of its calls.
func live(lines []*line) map[*line]bool {
	byID := map[string]*line{}
	var leaf *line
	for _, l := range lines {
		if l.UUID != "" {
			byID[l.UUID] = l
			if !l.IsSidechain {
				leaf = l
			}
		}
	}
	on := map[*line]bool{}
	replies := map[string]bool{}
	for l := leaf; l != nil; {
		on[l] = true
		replies[l.Message.ID] = true
		parent := l.ParentUUID
		if parent == "" {
			parent = l.LogicalParentUUID
		}
		l = byID[parent]
	}
	for _, l := range lines {
		if l.Message.ID != "" && replies[l.Message.ID] {
			on[l] = true
		}
		if l.Source != "" && on[byID[l.Source]] {
			on[l] = true
		}
	}
	return on
}
