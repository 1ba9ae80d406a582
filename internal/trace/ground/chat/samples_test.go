package chat_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentlens/internal/model"
	"agentlens/internal/trace/format/conversationstore"
	"agentlens/internal/trace/format/openaichat"
	"agentlens/internal/trace/format/wink"
	"agentlens/internal/trace/ground/chat/chattest"
	"agentlens/internal/trace/ground/source"
)

// families are the readers that stand on package chat, by folder of samples.
func families() map[string]source.Format {
	return map[string]source.Format{"wink": wink.Format(), "conversation-store": conversationstore.Format(), "openai-chat": openaichat.Format()}
}

// TestSniffClaimsOwnOnly runs the three sniffers over every genuine sample.
func TestSniffClaimsOwnOnly(t *testing.T) {
	root := chattest.Samples(t, ".")
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := source.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		files++
		name, _ := filepath.Rel(root, path)
		own, _, _ := strings.Cut(filepath.ToSlash(name), "/")
		for family, format := range families() {
			want := family == own && filepath.Ext(path) != ".txt"
			if got := format.Sniff(f); got != want {
				t.Errorf("%s: sniffed as %s: %v, want %v", name, family, got, want)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 50 {
		t.Errorf("only %d samples were looked at", files)
	}
}

// TestOwnRecordsAreClaimedOnce runs them over this project's own records.
func TestOwnRecordsAreClaimedOnce(t *testing.T) {
	for folder, owner := range map[string]string{"wink": "wink", "conversation-store": "conversation-store", "openai-chat": "openai-chat"} {
		paths, err := filepath.Glob("../../../../testdata/" + folder + "/*")
		if err != nil || len(paths) == 0 {
			t.Fatalf("no records in %s: %v", folder, err)
		}
		for _, path := range paths {
			if strings.HasSuffix(path, ".outline") {
				continue
			}
			f, err := source.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			for family, format := range families() {
				if got := format.Sniff(f); got != (family == owner) {
					t.Errorf("%s: sniffed as %s: %v", path, family, got)
				}
			}
			f.Close()
		}
	}
}

// An expected run, as expect.json gives it; absent keys are not asserted.
type expected struct {
	ID        string              `json:"id"`
	IDAny     []string            `json:"id_any"`
	Messages  *int                `json:"messages"`
	ByRole    map[string]int      `json:"by_role"`
	ToolCalls *int                `json:"tool_calls"`
	Results   *int                `json:"tool_results"`
	Pending   []string            `json:"pending"`
	Threads   *int                `json:"threads"`
	Calls     *int                `json:"calls"`
	Turns     *int                `json:"turns"`
	Steps     *int                `json:"steps"`
	Markers   map[string]int      `json:"markers"`
	Usage     map[string]*float64 `json:"usage"`
	Models    []string            `json:"models"`
}

func TestExpectedNumbers(t *testing.T) {
	data, err := os.ReadFile(chattest.Samples(t, "expect.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]struct {
		Runs int        `json:"runs"`
		Run  []expected `json:"run"`
	}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	checked := 0
	for name, want := range all {
		folder, _, _ := strings.Cut(name, "/")
		format, ok := families()[folder]
		if !ok {
			continue
		}
		checked++
		t.Run(name, func(t *testing.T) {
			runs := chattest.Load(t, format, chattest.Samples(t, name))
			if len(runs) != want.Runs {
				t.Fatalf("%d runs, want %d", len(runs), want.Runs)
			}
			for i, run := range runs {
				chattest.Check(t, run)
				want.Run[i].check(t, run)
			}
		})
	}
	if checked != 10 {
		t.Errorf("%d samples checked", checked)
	}
}

func (want expected) check(t *testing.T, run *model.Run) {
	t.Helper()
	roles, markers, turns := map[string]int{}, map[string]int{}, 0
	var pending []string
	for _, th := range run.Threads {
		pending = append(pending, th.Pending()...)
		for i := range th.Len() {
			roles[th.At(i).Role.String()]++
			if th.At(i).Turn >= 0 {
				turns++
			}
		}
		for _, m := range th.Markers {
			markers[string(m.Kind)]++
		}
	}
	steps := 0
	for _, d := range run.Documents {
		if d.Kind == "step" {
			steps++
		}
	}
	c := run.Counts()
	for _, n := range []struct {
		name string
		got  int
		want *int
	}{
		{"messages", c.Messages, want.Messages},
		{"tool calls", c.ToolCalls, want.ToolCalls},
		{"results", roles["tool"], want.Results},
		{"threads", c.Threads, want.Threads},
		{"calls", c.Calls, want.Calls},
		{"turns", turns, want.Turns},
		{"steps", steps, want.Steps},
	} {
		if n.want != nil && n.got != *n.want {
			t.Errorf("%s: %d, want %d", n.name, n.got, *n.want)
		}
	}
	for role, n := range want.ByRole {
		if roles[role] != n {
			t.Errorf("%s messages: %d, want %d", role, roles[role], n)
		}
	}
	for kind, n := range want.Markers {
		if markers[kind] != n {
			t.Errorf("markers %s: %d, want %d", kind, markers[kind], n)
		}
	}
	if want.Pending != nil && !slices.Equal(pending, want.Pending) && len(pending)+len(want.Pending) > 0 {
		t.Errorf("pending %v, want %v", pending, want.Pending)
	}
	if want.ID != "" && run.ID != want.ID || want.IDAny != nil && !slices.Contains(want.IDAny, run.ID) {
		t.Errorf("id %s, want %s%v", run.ID, want.ID, want.IDAny)
	}
	if want.Models != nil && !slices.Equal(run.Models(), want.Models) {
		t.Errorf("models %v, want %v", run.Models(), want.Models)
	}
	want.checkUsage(t, run.TotalUsage())
}

func (want expected) checkUsage(t *testing.T, u model.Usage) {
	t.Helper()
	fields := map[string]model.UsageField{
		"input": model.UsageInput, "output": model.UsageOutput, "cache_read": model.UsageCacheRead,
		"cache_write": model.UsageCacheWrite, "reasoning": model.UsageReasoning,
	}
	for name, n := range want.Usage {
		got, known := float64(u.CostUSD), u.Known&model.UsageCost != 0
		if f, ok := fields[name]; ok {
			var tokens int64
			tokens, known = u.Tokens(f)
			got = float64(tokens)
		}
		if (n != nil) != known || n != nil && *n != got {
			t.Errorf("usage %s: %v (known %v), want %v", name, got, known, n)
		}
	}
}
