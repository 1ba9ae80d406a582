package source

import (
	"encoding/json"
	"strings"
	"testing"
)

var quoted = []string{
	`""`, `"a"`, `"a\nb"`, `"\"\\\/\b\f\n\r\t"`, `"\u0041\u00e9\u2028\u0000"`, `"\uD83D\uDE00"`, `"\ud83d"`, `"\u12"`, `"\u12g4"`,
	`"\u+123"`, `"\u_123"`, `"\x"`, `"a"b"`, `"`, ``, `"\"`, `"\\"`, `"é漢😀"`, "\"\xff\"", "\"a\tb\"", ` "a"`, `"a" `, `null`, `1`, `"\u004"`, `"\u00411"`,
}

// judgeUnquote holds unquote to encoding/json: what it takes, that takes, for the same.
func judgeUnquote(t *testing.T, raw []byte) bool {
	t.Helper()
	got, ok := unquote(raw)
	if !ok {
		return false
	}
	var want string
	if err := json.Unmarshal(raw, &want); err != nil || got != want {
		t.Errorf("%q: got %q, want %q (%v)", raw, got, want, err)
	}
	return true
}

func TestUnquote(t *testing.T) {
	taken := 0
	for _, raw := range quoted {
		if judgeUnquote(t, []byte(raw)) {
			taken++
		}
	}
	if taken != 8 {
		t.Errorf("%d are taken, want 8: the common ones", taken)
	}
}

func FuzzUnquote(f *testing.F) {
	for _, raw := range quoted {
		f.Add([]byte(raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) { judgeUnquote(t, raw) })
}

func BenchmarkUnquote(b *testing.B) {
	raw := []byte(`"` + strings.Repeat(`\t\tif err := line.add(\"the invoice\", 4711); err != nil {\n`, 2000) + `"`)
	for name, decode := range map[string]func() string{
		"here":          func() string { s, _ := unquote(raw); return s },
		"encoding/json": func() (s string) { _ = json.Unmarshal(raw, &s); return s },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				decode()
			}
		})
	}
}
