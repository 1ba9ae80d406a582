package diff

import (
	"testing"

	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/uitest"
)

func TestCutObjects(t *testing.T) {
	gate := uitest.Gate(t)
	for _, c := range []struct {
		verb, object, says string
		path               bool
		room               int
		want               string
	}{
		{"Bash ", "go test ./internal/money", "FAIL", false, 60, "Bash go test ./internal/money ✗FAIL"},
		{"Bash ", "go test ./internal/money", "", false, 22, "Bash go test ./inte… ✗"},
		{"Read ", "internal/money/round.go", "", true, 22, "Read …money/round.go ✗"},
		{"Bash ", "go test ./internal/money", "a line of the result", false, 33, "Bash go test .… ✗a line of the result"},
		{"Bash ", "go test ./internal/money", "", false, 4, "Bash go test .… ✗"},
	} {
		var parts []kit.Part
		for _, s := range []string{c.verb, c.object} {
			parts = append(parts, kit.Part{Text: gate.Text(s), To: len(s)})
		}
		parts = append(parts, kit.Part{Own: " " + kit.SignFailed}, kit.Part{Text: gate.Text(c.says), To: len(c.says)})
		got := ""
		for _, p := range cutObjects(parts, []object{{part: 1, path: c.path, says: len(c.says)}}, c.room) {
			got += string(p.Own) + p.Text.String()[p.From:p.To]
		}
		if got != c.want {
			t.Errorf("%s in %d cells: %q, want %q", c.object, c.room, got, c.want)
		}
		if n := len(c.object); parts[1].From != 0 || parts[1].To != n {
			t.Error("the parts of the summary were changed")
		}
	}
}

// The text before the calls is cut first, and keeps half of the row.
func TestTextBeforeCallsIsCut(t *testing.T) {
	gate, parts := uitest.Gate(t), []kit.Part(nil)
	for _, s := range []string{"some text before", " → Read ", "a/b/c/d/e/f.go"} {
		parts = append(parts, kit.Part{Text: gate.Text(s), To: len(s)})
	}
	for room, want := range map[int]string{
		38: "some text before → Read a/b/c/d/e/f.go",
		34: "some text before → Read …/d/e/f.go",
		24: "some text b… → Read …/d/e/f.go",
	} {
		got := ""
		for _, p := range cutObjects(parts, []object{{text: true}, {part: 2, path: true}}, room) {
			got += string(p.Own) + p.Text.String()[p.From:p.To]
		}
		if got != want {
			t.Errorf("in %d cells: %q, want %q", room, got, want)
		}
	}
}
