package conversationstore

import (
	"flag"
	"testing"

	"agentlens/internal/trace/ground/chat/chattest"
)

var _ = flag.Bool("update", false, "rewrite the golden files")

func TestGolden(t *testing.T) {
	chattest.Golden(t, Format(), "../../../../testdata/conversation-store")
}
