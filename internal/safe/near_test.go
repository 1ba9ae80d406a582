package safe

import (
	"strings"
	"testing"

	"agentlens/internal/redact"
)

// TestGateNear compares the part of a line with the same part of the whole masked line.
func TestGateNear(t *testing.T) {
	key := "-----BEGIN RSA PRIVATE KEY-----\n" + strings.Repeat(strings.Repeat("MIIEpAIBAAKC", 5)+"\n", 90) + "-----END RSA PRIVATE KEY-----\n"
	hay := strings.Repeat("a line of\thay\n", 400)
	tests := map[string]struct{ text, find string }{
		"plain":           {hay + "needle" + hay, "needle"},
		"first":           {"needle" + hay, "needle"},
		"short":           {"a needle", "needle"},
		"absent":          {hay, "needle"},
		"in a secret":     {hay + "password=needle2x9Q" + hay, "needle"},
		"next to secrets": {hay + "password=hunter2x9Q needle token=ghp_0123456789abcdefghijABCDEFGHIJ012345" + hay, "needle"},
		"in a long key":   {hay + strings.Replace(key, "MIIEpAIBAAKCMIIEp\n", "needle\n", 1) + hay, "MIIEp"},
		"after a key":     {key + "needle\n" + hay, "needle"},
		"new secret":      {hay + "pass\x1b[1mword=hunter2x9 needle" + hay, "needle"},
		"on a mark":       {hay + "a\x00needle\xff" + hay, "␀needle"},
	}
	for name, c := range tests {
		t.Run(name, func(t *testing.T) {
			find := func(s string) (int, int) {
				at := strings.Index(s, c.find)
				return at, at + len(c.find)
			}
			whole := testGate(t, redact.Options{Level: redact.Default}).Line(c.text)
			part, at, end, ok := testGate(t, redact.Options{Level: redact.Default}).Near(c.text, find, 60)
			from, to := find(whole.String())
			if ok != (from >= 0) {
				t.Fatalf("found %t, in the whole line %t", ok, from >= 0)
			}
			if !ok {
				return
			}
			want, wantAt, wantEnd := whole.Cut(from-60, to+60, from, to)
			if part != want || at != wantAt || end != wantEnd {
				t.Errorf("got  %q %d %d\nwant %q %d %d", part, at, end, want, wantAt, wantEnd)
			}
		})
	}
}
