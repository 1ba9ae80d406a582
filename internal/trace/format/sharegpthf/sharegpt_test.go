package sharegpthf

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"strings"
	"testing"

	"agentlens/internal/trace/ground/chat/chattest"
	"agentlens/internal/trace/ground/lines/linestest"
	"agentlens/internal/trace/ground/source"
)

var _ = flag.Bool("update", false, "rewrite the golden files")

const records = "../../../../testdata/sharegpt-hf/"

func TestGolden(t *testing.T) { chattest.Golden(t, Format(), records) }

func TestSamples(t *testing.T) { linestest.Samples(t, Format(), "sharegpt-hf", 1) }

func TestClaimsOwnOnly(t *testing.T) {
	linestest.ClaimsOwnOnly(t, Format(), "sharegpt-hf")
}

func TestTruncated(t *testing.T) {
	linestest.Truncated(t, Format(), records+"conversations.json")
	linestest.Truncated(t, Format(), records+"conversations.jsonl")
}

func FuzzRead(f *testing.F) { linestest.Fuzz(f, Format(), records) }

func file(t testing.TB, data string) *source.File {
	t.Helper()
	f, err := source.FromReader("x.json", strings.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestSniff(t *testing.T) {
	const chat = `{"role":"user","content":"a"}`
	for _, c := range []struct {
		name, data string
		want       bool
	}{
		{"truncated in the first row", `[{"conversations":[{"from":"human","value":"a"},{"from":"gp`, true},
		{"images and messages", `{"messages":[` + chat + `],"images":["a"]}`, true},
		{"lines of bare messages", `{"messages":[` + chat + `]}` + "\n" + `{"messages":[` + chat + `]}`, false},
		{"a list of messages", `[` + chat + `]`, false},
		{"a list of exchanges", `[{"messages":[` + chat + `],"response":{}}]`, false},
		{"chosen without a question", `{"chosen":"a","rejected":"b"}`, false},
		{"conversations of another format", `[{"conversations":[{"id":1}]}]`, false},
		{"nothing", ``, false},
	} {
		if got := Format().Sniff(file(t, c.data)); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestElementsAcrossBlocks checks each row and its offset in a list that is longer
// than a block and has rows of many sizes.
func TestElementsAcrossBlocks(t *testing.T) {
	var rows []string
	for i, n := range []int{10, blockLen - 20, 3, blockLen * 3, 100, blockLen / 2, blockLen / 2} {
		rows = append(rows, fmt.Sprintf(`{"id":"n%d","conversations":[{"from":"human","value":"%s]},\"{"}]}`, i, strings.Repeat("a", n)))
	}
	f := file(t, " [\n"+strings.Join(rows, " , ")+"\n] ")
	var got []string
	closed, err := eachElement(context.Background(), f, func(e element) {
		at := make([]byte, len(e.data))
		if _, err := f.ReadAt(at, e.off); err != nil || string(at) != string(e.data) || e.open {
			t.Errorf("element %d is not at byte %d: %v", len(got), e.off, err)
		}
		got = append(got, string(e.data))
	})
	if err != nil || !closed || len(got) != len(rows) {
		t.Fatalf("%d elements, closed %v, %v", len(got), closed, err)
	}
	for i := range rows {
		if got[i] != rows[i] {
			t.Errorf("element %d has %d bytes, want %d", i, len(got[i]), len(rows[i]))
		}
	}
}

// FuzzElements compares the splitter with encoding/json.
func FuzzElements(f *testing.F) {
	for _, seed := range []string{`[]`, `[1,"a,]",{"b":[2]},[3] , true ]`, `["\\",{"\"":"}"}]`, "[1\n2]"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data string) {
		src, err := source.FromReader("x", strings.NewReader(data))
		if err != nil {
			return
		}
		var got []string
		closed, err := eachElement(context.Background(), src, func(e element) { got = append(got, string(e.data)) })
		var want []json.RawMessage
		if err != nil || json.Unmarshal([]byte(data), &want) != nil || want == nil {
			return
		}
		if !closed || len(got) != len(want) {
			t.Fatalf("%d elements, want %d", len(got), len(want))
		}
		for i := range want {
			if strings.TrimSpace(got[i]) != string(want[i]) {
				t.Errorf("element %d of %d differs", i, len(want))
			}
		}
	})
}

func TestUnreadable(t *testing.T) {
	for data, want := range map[string]string{`{"a":1}`: "none of the 1 rows", `[]`: "none of the 0 rows", `[1,2]`: "none of the 2 rows"} {
		if _, err := chattest.All(Format(), file(t, data)); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "x.json") {
			t.Errorf("%q: %v, want %q", data, err, want)
		}
	}
}
