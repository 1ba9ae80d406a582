package term

import (
	"os"
	"strings"
	"testing"
)

func TestAnswersAreRemovedFromInput(t *testing.T) {
	for _, c := range []struct{ in, kept, held string }{
		{"jk", "jk", ""},
		{"a\x1b]11;rgb:0000/0000/0000\x07b", "ab", ""},
		{"a\x1b]11;rgb:ffff/ffff/ffff\x1b\\b", "ab", ""},
		{"\x1b[?62;c", "", ""},
		{"\x1b[?1;2cx", "x", ""},
		{"x\x1b", "x\x1b", ""},
		{"\x1b[A", "\x1b[A", ""},
		{"\x1b[", "\x1b[", ""},
		{"q\x1b]11;rgb:00", "q", "\x1b]11;rgb:00"},
		{"\x1b]1", "", "\x1b]1"},
		{"\x1b[?2026;2$y", "\x1b[?2026;2$y", ""},
		{"\x1b]11;" + strings.Repeat("x", 100), "\x1b]11;" + strings.Repeat("x", 100), ""},
	} {
		if c.in == "\x1b[" { // may be the start of an answer
			c.kept, c.held = "", "\x1b["
		}
		kept, held := withoutAnswers([]byte(c.in))
		if string(kept) != c.kept || string(held) != c.held {
			t.Errorf("withoutAnswers(%q) = %q, %q, want %q, %q", c.in, kept, held, c.kept, c.held)
		}
	}
}

func FuzzAnswers(f *testing.F) {
	f.Add([]byte("a\x1b]11;rgb:0000/0000/0000\x07b"))
	f.Add([]byte("\x1b[?62;1c\x1b[A"))
	f.Fuzz(func(t *testing.T, b []byte) {
		kept, held := withoutAnswers(append([]byte(nil), b...))
		if len(kept)+len(held) > len(b) || len(held) >= maxAnswer {
			t.Fatalf("%q: kept %q, held %q", b, kept, held)
		}
		lightAnswer(b)
		answered(b)
	})
}

func TestLightAnswer(t *testing.T) {
	for in, want := range map[string]bool{
		"\x1b]11;rgb:ffff/ffff/ffff\x07":   true,
		"\x1b]11;rgb:fd/f6/e3\x07":         true,
		"\x1b]11;rgb:0000/0000/0000\x07":   false,
		"\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\": false,
		"\x1b[?62c":                        false,
		"\x1b]11;rgb:zz/00/00\x07":         false,
		"":                                 false,
	} {
		if got := lightAnswer([]byte(in)); got != want {
			t.Errorf("lightAnswer(%q) = %v, want %v", in, got, want)
		}
	}
}

func TestKeyReaderHoldsAnswersBack(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	k := &KeyReader{File: r}
	buf := make([]byte, 256)
	var got string
	for _, part := range []string{"a", "\x1b]11;rgb:ff", "ff/ffff/ffff", "\x07b", "c"} {
		if _, err := w.WriteString(part); err != nil {
			t.Fatal(err)
		}
		n, err := k.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		got += string(buf[:n])
	}
	w.Close()
	if got != "abc" {
		t.Errorf("read %q, want abc", got)
	}
}

func TestFramesAreSynchronised(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	n, err := frameWriter(w).Write([]byte("frame"))
	w.Close()
	buf := make([]byte, 100)
	m, _ := r.Read(buf)
	if n != 5 || err != nil || string(buf[:m]) != SyncBegin+"frame"+SyncEnd {
		t.Errorf("%d, %v, %q", n, err, buf[:m])
	}
}
