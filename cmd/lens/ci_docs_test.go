package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// scriptsOf returns the shell scripts of a page: its sh blocks, and the steps of its workflows. It leaves out
// those marked "# needs:".
func scriptsOf(page string) (scripts []string) {
	for _, block := range regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$").FindAllStringSubmatch(page, -1) {
		switch block[1] {
		case "sh":
			scripts = append(scripts, block[2])
		case "yaml":
			for _, step := range regexp.MustCompile(`(?m)^ +- name:`).Split(block[2], -1)[1:] {
				_, script, ok := strings.Cut(step, "run: |\n")
				if ok && !strings.Contains(step, "# needs:") {
					scripts = append(scripts, script)
				}
			}
		}
	}
	return scripts
}

// TestScriptsOfCI runs the scripts of docs/ci.md on records, and those of the pages about hooks and agents.
func TestScriptsOfCI(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing in it runs at once: left out with -short")
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	page, err := os.ReadFile("../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	record, err := os.ReadFile("../../testdata/claude-code/compacted.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"traces", "main-traces"} {
		os.Mkdir(filepath.Join(dir, folder), 0o700)
		os.WriteFile(filepath.Join(dir, folder, "run.jsonl"), record, 0o600)
	}
	project := regexp.MustCompile("(?ms)^```toml\n(.*?)^```$").FindSubmatch(page)
	if project == nil {
		t.Fatal("the page shows no project file")
	}
	os.WriteFile(filepath.Join(dir, ".lens.toml"), project[1], 0o600)
	scripts := scriptsOf(string(page))
	for _, other := range []string{"hooks.md", "agents.md"} {
		text, err := os.ReadFile("../../docs/" + other)
		if err != nil {
			t.Fatal(err)
		}
		scripts = append(scripts, scriptsOf(string(text))...)
	}
	if len(scripts) < 9 {
		t.Errorf("%d scripts", len(scripts))
	}
	for _, script := range scripts {
		cmd := exec.Command(bash, "-euo", "pipefail", "-c", script)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "HOME="+dir, "GITHUB_STEP_SUMMARY="+filepath.Join(dir, "summary.md"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v:\n%s\n%s", err, script, out)
		}
	}
	if summary, _ := os.ReadFile(filepath.Join(dir, "summary.md")); !strings.Contains(string(summary), "**lens check: ok**") {
		t.Errorf("summary: %s", summary)
	}
}

// TestReaderOfDocs runs the reader of docs/readers.md on the log that the page shows.
func TestReaderOfDocs(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip(err)
	}
	page, err := os.ReadFile("../../docs/readers.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	block := func(kind, file string) {
		found := regexp.MustCompile("(?ms)^```" + kind + "\n(.*?)^```$").FindSubmatch(page)
		if found == nil {
			t.Fatalf("the page has no %s block", kind)
		}
		if lines := strings.Count(string(found[1]), "\n"); lines > 30 {
			t.Errorf("%s has %d lines, want at most 30", file, lines)
		}
		os.WriteFile(filepath.Join(dir, file), found[1], 0o600)
	}
	block("toml", "config.toml")
	block("python", "mylog.py")
	block("text", "day.mylog")
	config, _ := os.ReadFile(filepath.Join(dir, "config.toml"))
	os.WriteFile(filepath.Join(dir, "config.toml"), []byte(strings.ReplaceAll(string(config), "/home/me/", dir+"/")), 0o600)
	cmd := exec.Command("lens", "audit", "day.mylog")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "LENS_CONFIG="+filepath.Join(dir, "config.toml"))
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "2 calls") {
		t.Errorf("%v: %s", err, out)
	}
}
