package cli

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"agentlens/internal/curate/replaytest"
	"agentlens/internal/model"
	"agentlens/internal/trace/tracetest"
)

// TestCompactionOfAStoredConversation compares compact_turns(once=true) with what the
// conversation manager keeps when it compacts a stored file: the messages of the last three
// turns. The replay keeps one turn more of rcpt_a1b2c3: it fired one turn earlier.
func TestCompactionOfAStoredConversation(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "shared", "samples", "conversation-store", "conversation")
	if _, err := os.Stat(folder); err != nil {
		t.Skip("the samples are needed")
	}
	kept := func(name, chain string) (texts []string, turns int) {
		run := tracetest.Run(t, filepath.Join(folder, name))
		thread := run.MainThread()
		r := replaytest.Chain(t, run, chain)
		for _, e := range r.View(r.Calls() + 1).Entries {
			if e.Fate != model.Kept {
				continue
			}
			text, err := run.Text(thread.At(int(e.Index)))
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, e.Role.String()+": "+text)
			if e.Role == model.User {
				turns++
			}
		}
		return texts, turns
	}
	want, _ := kept("rcpt_seed_era.json", "passthrough")
	if got, _ := kept("rcpt_seed_era.backup.json", "compact_turns(once=true)"); len(want) != 6 || !slices.Equal(got, want) {
		t.Errorf("kept %q, want the 6 messages of the compacted file: %q", got, want)
	}
	for chain, want := range map[string]int{"compact_turns(once=true)": 3, "compact_turns": 4} {
		if _, turns := kept("rcpt_a1b2c3.json", chain); turns != want {
			t.Errorf("%s keeps %d turns, want %d", chain, turns, want)
		}
	}
}
