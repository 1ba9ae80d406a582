package inspect

import (
	"flag"
	"testing"

	"agentlens/internal/trace/ground/chat/chattest"
	"agentlens/internal/trace/ground/lines/linestest"
)

var _ = flag.Bool("update", false, "rewrite the golden files")

const records = "../../../../testdata/inspect/"

func TestGolden(t *testing.T) { chattest.Golden(t, Format(), records) }

func TestSamples(t *testing.T) { linestest.Samples(t, Format(), "inspect", 1) }

func TestClaimsOwnOnly(t *testing.T) { linestest.ClaimsOwnOnly(t, Format(), "inspect") }

func TestTruncated(t *testing.T) { linestest.Truncated(t, Format(), records+"agents.json") }

func FuzzRead(f *testing.F) { linestest.Fuzz(f, Format(), records) }
