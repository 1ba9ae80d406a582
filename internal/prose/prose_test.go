package prose

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

var root = filepath.Join("..", "..")

// TestTree checks the comments, texts and pages of the repository against tools/words.txt.
func TestTree(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "tools", "words.txt"))
	if err != nil {
		t.Fatal(err)
	}
	list, err := Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	finds, err := list.InTree(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range finds {
		t.Error(f)
	}
}

func list(t *testing.T, text string) *List {
	t.Helper()
	l, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

const goFile = `// Package a stands for b. It
// stands alone.
package a

// F is
// told of it, and stands. In for good.
func F() string {
	/* Anew,
	   ANEW */
	return "stands anew" // as before, anew
}

//go:embed anew
var s string // are told; told: of
`

func TestInGo(t *testing.T) {
	l := list(t, "# comment\nstands\n-stands for\nanew\nis/are told\ntold of\nstands in\n")
	finds, err := l.InGo("a.go", []byte(goFile))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range finds {
		got = append(got, f.String())
	}
	want := []string{
		"a.go:2: stands", "a.go:5: is told", "a.go:6: told of", "a.go:6: stands",
		"a.go:8: anew", "a.go:9: anew", "a.go:10: anew", "a.go:10: stands", "a.go:10: anew", "a.go:14: are told",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for _, name := range []string{"a_test.go", "tools/a.go"} {
		if finds, err := l.InGo(name, []byte(goFile)); err != nil || len(finds) != len(want)-2 {
			t.Errorf("%s: %v, %v: strings of tests and tools are no texts of lens", name, finds, err)
		}
	}
}

func TestInMarkdown(t *testing.T) {
	l := list(t, "beside the\n-beside the point")
	text := "Beside the\npoint, BESIDE\nthe rest, `beside the` code.\n\n```\nbeside the\n```\nand beside\t**the** or beside the end\n<!-- keys: -->\nbeside the\n<!-- end of keys -->\n"
	finds := l.InMarkdown("a.md", text)
	if got := fmt.Sprint(finds); got != "[a.md:2: beside the a.md:8: beside the]" {
		t.Error(got)
	}
}

func TestInTree(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.go": "// Anew.\npackage a\n", "b/c.md": "anew", "testdata/d.md": "anew", ".git/e.md": "anew", "f.txt": "anew",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	finds, err := list(t, "anew").InTree(dir)
	if got := fmt.Sprint(finds); err != nil || got != "[a.go:1: anew b/c.md:1: anew]" {
		t.Error(got, err)
	}
}

func TestParseRejects(t *testing.T) {
	for _, text := range []string{"", "# only a comment", "Anew", "-"} {
		if _, err := Parse(text); err == nil {
			t.Errorf("%q is a list", text)
		}
	}
}
