package wink

import (
	"flag"
	"testing"

	"agentlens/internal/trace/ground/chat/chattest"
	"agentlens/internal/trace/ground/lines/linestest"
)

var _ = flag.Bool("update", false, "rewrite the golden files")

func TestGolden(t *testing.T) { chattest.Golden(t, Format(), "../../../../testdata/wink") }

func TestSamples(t *testing.T) { linestest.Samples(t, Format(), "wink", 5) }
