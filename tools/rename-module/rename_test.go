package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const to = "example.test/agents/lens"

func TestReplacePath(t *testing.T) {
	for text, want := range map[string]string{
		`import "mod/internal/ui"`:                 `import "` + to + `/internal/ui"`,
		"module mod\n":                             "module " + to + "\n",
		"module mod/tools":                         "module " + to + "/tools",
		"The path is `mod`.":                       "The path is `" + to + "`.",
		"-X mod/cmd/lens.version=1":                "-X " + to + "/cmd/lens.version=1",
		"It is mod.":                               "It is " + to + ".",
		"[mod/internal/model.Run]":                 "[" + to + "/internal/model.Run]",
		"mod mod":                                  to + " " + to,
		"model, a-mod, x/mod, mod.x, mode, modmod": "model, a-mod, x/mod, mod.x, mode, modmod",
	} {
		if got := replacePath(text, "mod", to); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestCheckPath(t *testing.T) {
	if err := checkPath(to); err != nil {
		t.Error(err)
	}
	for _, path := range []string{"agentlens", "", "github.com/zebra/lens", "Example.test//x", "../x"} {
		if checkPath(path) == nil {
			t.Errorf("%q is accepted", path)
		}
	}
}

func TestRenameTree(t *testing.T) {
	root := t.TempDir()
	files := map[string]string{
		"go.mod":             "module mod\n",
		"tools/go.mod":       "module mod/tools\n\nreplace mod => ../\n\nrequire (\n\tgithub.com/a/b v1.0.0\n\tmod v0.0.0\n)\n",
		"cmd/main.go":        "package main\n\nimport (\n\t\"fmt\"\n\n\t\"github.com/a/b\"\n\t\"mod/x\"\n)\n",
		"x/testdata/a.jsonl": `{"module":"mod"}`,
		"x/data.bin":         "mod\x00mod",
		".git/config":        "mod",
		"run":                "go build mod/cmd",
	}
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	n, err := renameTree(root, "mod", to)
	if err != nil || n != 4 {
		t.Fatalf("%d files changed, %v", n, err)
	}
	for name, want := range map[string]string{
		"go.mod":             "module " + to + "\n",
		"tools/go.mod":       "\t" + to + " v0.0.0\n\tgithub.com/a/b v1.0.0\n",
		"cmd/main.go":        "\t\"" + to + "/x\"\n\t\"github.com/a/b\"\n",
		"x/testdata/a.jsonl": files["x/testdata/a.jsonl"],
		"x/data.bin":         files["x/data.bin"],
		".git/config":        "mod",
		"run":                "go build " + to + "/cmd",
	} {
		got, err := os.ReadFile(filepath.Join(root, name))
		if err != nil || !strings.Contains(string(got), want) {
			t.Errorf("%s: %q, want %q, %v", name, got, want, err)
		}
	}
	if info, err := os.Stat(filepath.Join(root, "run")); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("the mode of a script: %v, %v", info.Mode(), err)
	}
}
