package mlflow

import (
	"flag"
	"testing"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/chat/chattest"
	"agentlens/internal/trace/ground/lines/linestest"
	"agentlens/internal/trace/ground/members"
	"agentlens/internal/trace/ground/rows/rowstest"
)

var _ = flag.Bool("update", false, "rewrite the golden files")

const records = "../../../../testdata/mlflow"

func TestGolden(t *testing.T) { chattest.Golden(t, Format(), records) }

func TestGoldenDatabase(t *testing.T) { rowstest.Golden(t, Format(), records) }

func TestUntouched(t *testing.T) { rowstest.Untouched(t, Format(), records+"/tracking.sql") }

func TestSniff(t *testing.T) { rowstest.Claims(t, Format(), rowstest.In("mlflow")) }

func TestTruncated(t *testing.T) { linestest.Truncated(t, Format(), records+"/trace.json") }

func FuzzRead(f *testing.F) { linestest.Fuzz(f, Format(), records) }

func TestWhen(t *testing.T) {
	for text, want := range map[string]model.Time{
		`1780000000000000000`: 1780000000000000000, `"1780000000000000000"`: 1780000000000000000,
		`"2026-05-28T20:26:40Z"`: 1780000000000000000, `"soon"`: 0, `null`: 0, `-1`: 0, `[]`: 0,
	} {
		if got := when(members.Object{"t": []byte(text)}, "t"); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}
