package kit

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"agentlens/internal/ui/uitest"
)

func TestPretty(t *testing.T) {
	for _, in := range []string{
		`{"a":1,"b":[true,null,"x, {y}: [\"z\\"],"c":{}}`, `[]`, `{"a":[[],{}, {"b":-1.5e3}]}`, ` [ 1 , [ ] , "日本" ] `, `[[[[1]]],2]`,
	} {
		var want bytes.Buffer
		if err := json.Indent(&want, []byte(strings.TrimSpace(in)), "", "  "); err != nil {
			t.Fatal(err)
		}
		if got, rest := Pretty(in); got != want.String() || rest != "" {
			t.Errorf("pretty(%s) = %s, %q, want %s", in, got, rest, want.String())
		}
	}
	for _, in := range []string{"", "plain", `{"torn`, `{"a":1} and more`, strings.Repeat("[", 20_000)} {
		if got, rest := Pretty(in); got != in || rest != "" {
			t.Errorf("pretty(%.20q) = %.20q, %q", in, got, rest)
		}
	}
}

// The indented form of deeply nested JSON is at most a few times as long as the original.
func TestPrettyIsBounded(t *testing.T) {
	deep := strings.Repeat("[", 9000) + strings.Repeat("]", 9000)
	wide := strings.Repeat("[", 60) + strings.TrimSuffix(strings.Repeat("0,", 100_000), ",") + strings.Repeat("]", 60)
	for _, c := range []struct {
		in   string
		rest Words
	}{{deep, "from level 64"}, {wide, "too long"}} {
		got, rest := Pretty(c.in)
		if len(got) > (prettyGrows+1)*len(c.in)+2<<10 || !strings.Contains(string(rest), string(c.rest)) {
			t.Errorf("%d bytes became %d, %q", len(c.in), len(got), rest)
		}
		if !sameJSON(got, c.in) {
			t.Errorf("%d bytes became another JSON value", len(c.in))
		}
	}
}

func sameJSON(a, b string) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, []byte(a)) == nil && json.Compact(&y, []byte(b)) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

func FuzzPretty(f *testing.F) {
	f.Add(`{"a":[1,{"b":"\"]"}]}`)
	f.Add("[[[[]]]]")
	f.Fuzz(func(t *testing.T, in string) {
		got, _ := Pretty(in)
		if json.Valid([]byte(in)) && !sameJSON(got, in) {
			t.Errorf("%q became %q", in, got)
		}
		if len(got) > (prettyGrows+1)*len(in)+2<<10 {
			t.Errorf("%d bytes became %d", len(in), len(got))
		}
	})
}

// Panes and pager lay out a bounded number of lines.
func TestWrapIsBounded(t *testing.T) {
	gate := uitest.Gate(t)
	lines := gate.Text(strings.Repeat("x\n", 600_000))
	heads := gate.Text(strings.Repeat("# x\nx\n", 20_000))
	var parts []Block
	for range 300 {
		parts = append(parts, Block{Text: gate.Text(strings.Repeat("x\n", 300))})
	}
	for _, c := range []struct {
		name   string
		blocks []Block
		most   lineBound
		says   string
	}{
		{"lines in a pane", []Block{{Text: lines}}, PaneLines, "599801 more lines (enter opens all)"},
		{"lines in the pager", []Block{{Text: lines}}, PagerLines, "100001 more lines not shown: there are too many"},
		{"sections", []Block{{Text: heads, Sections: Sections(heads.String())}}, PaneLines, "more sections (enter opens all)"},
		{"parts", parts, PaneLines, "more parts (enter opens all)"},
	} {
		got := WrapBlocks(c.blocks, 80, c.most, nil)
		last := got[len(got)-1]
		if len(got) > c.most.All+210 || !strings.Contains(string(last.Own), c.says) {
			t.Errorf("%s: %d lines, the last one %q", c.name, len(got), last.Own)
		}
	}
}
