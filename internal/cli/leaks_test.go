package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// aToken looks like a key. It is assembled here, so that the repository does not contain
// it.
var aToken = "ghp" + "_" + "Zk8Qw3Rt6Yp1Lm5Nb9Vc2Xd7Gf4Hj0Ks3A" + "We"

// pieces returns the parts of a token that must not appear: six consecutive characters
// cannot be a coincidence.
func pieces(token string) (list []string) {
	for i := 4; i+6 <= len(token); i++ {
		list = append(list, token[i:i+6])
	}
	return list
}

// TestNoPieceOfASecret checks that no command that shortens a title prints a part of a key in its first line.
func TestNoPieceOfASecret(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing in it runs at once: left out with -short")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	for _, columns := range []int{0, 30, 50, 58, 66, 74, 79, 4000, 4060, 4090} {
		for _, mark := range []string{"", "\x1b[1m", "\x1b]0;two words\x07", "\u200b"} {
			text := (strings.Repeat("word ", columns/5+1) + strings.Repeat("w", 9))[:columns]
			token := aToken[:15] + mark + aToken[15:]
			dir := t.TempDir()
			paths := []string{filepath.Join(dir, "chat.json"), filepath.Join(dir, "session.jsonl")}
			writeAs(t, paths[0], []map[string]string{{"role": "user", "content": text + " " + token + " and on"}, {"role": "assistant", "content": "yes"}})
			writeAs(t, paths[1], map[string]any{
				"type": "user", "uuid": "u1", "sessionId": "s", "timestamp": "2026-01-02T03:04:05Z", "version": "2.1.80",
				"message": map[string]string{"role": "user", "content": text + " " + token + " and on"},
			})
			for _, path := range paths {
				for _, args := range [][]string{
					{"list", path},
					{"list", "--json", path},
					{"show", path},
					{"show", "--json", path},
					{"search", "yes", path},
					{"export", path, "--format", "md"},
					{"export", path, "--format", "html"},
					{"show", dir},
				} {
					var out, errOut strings.Builder
					Run(context.Background(), args, strings.NewReader(""), &out, &errOut)
					for _, piece := range pieces(aToken) {
						if strings.Contains(out.String()+errOut.String(), piece) {
							t.Fatalf("lens %v, key at %d, with %q inside: %q is shown", args, columns, mark, piece)
						}
					}
				}
			}
		}
	}
}

func writeAs(t *testing.T, path string, value any) {
	t.Helper()
	doc, err := json.Marshal(value)
	if err == nil {
		err = os.WriteFile(path, append(doc, '\n'), 0o600)
	}
	if err != nil {
		t.Fatal(fmt.Errorf("make a record: %w", err))
	}
}
