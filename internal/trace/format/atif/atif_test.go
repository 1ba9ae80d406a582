package atif

import (
	"flag"
	"strings"
	"testing"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/chat/chattest"
	"agentlens/internal/trace/ground/lines/linestest"
	"agentlens/internal/trace/ground/source"
)

var _ = flag.Bool("update", false, "rewrite the golden files")

const records = "../../../../testdata/atif/"

func TestGolden(t *testing.T) { chattest.Golden(t, Format(), records) }

func TestSamples(t *testing.T) { linestest.Samples(t, Format(), "atif", 2) }

func TestClaimsOwnOnly(t *testing.T) { linestest.ClaimsOwnOnly(t, Format(), "atif") }

func TestTruncated(t *testing.T) { linestest.Truncated(t, Format(), records+"embedded.json") }

func FuzzRead(f *testing.F) { linestest.Fuzz(f, Format(), records) }

// TestFinalMetrics checks that final metrics are used if they equal the sum of the
// steps or if no step records tokens. Otherwise the sum of the steps is used.
func TestFinalMetrics(t *testing.T) {
	const step = `{"source":"agent","message":"a","metrics":{"prompt_tokens":10,"completion_tokens":2}}`
	for _, c := range []struct {
		name, steps, final string
		input, read        int64
		knownRead          bool
	}{
		{"equal", step, `{"total_prompt_tokens":10,"total_completion_tokens":2,"total_cached_tokens":4}`, 6, 4, true},
		{"more than the steps", step, `{"total_prompt_tokens":99,"total_completion_tokens":2,"total_cached_tokens":4}`, 10, 0, false},
		{"alone", `{"source":"agent","message":"a"}`, `{"total_prompt_tokens":10,"total_completion_tokens":2,"total_cached_tokens":4}`, 6, 4, true},
		{"none", step, `null`, 10, 0, false},
	} {
		doc := `{"schema_version":"ATIF-v1.4","agent":{},"steps":[` + c.steps + `],"final_metrics":` + c.final + `}`
		f, err := source.FromReader("x.json", strings.NewReader(doc))
		if err != nil {
			t.Fatal(err)
		}
		runs, err := chattest.All(Format(), f)
		if err != nil {
			t.Fatal(err)
		}
		u := runs[0].TotalUsage()
		if u.Input != c.input || u.CacheRead != c.read || (u.Known&model.UsageCacheRead != 0) != c.knownRead {
			t.Errorf("%s: %+v", c.name, u)
		}
	}
}

func TestUnreadable(t *testing.T) {
	for data, want := range map[string]string{
		`{"schema_version":"2.0"}`:                     "ATIF-v1",
		"{\"schema_version\":\"ATIF-v1.4\",\n\"a\" 1}": "line 2",
		`[]`: "ATIF-v1",
	} {
		f, err := source.FromReader("x.json", strings.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := chattest.All(Format(), f); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "x.json") {
			t.Errorf("%q: %v, want %q", data, err, want)
		}
	}
}
