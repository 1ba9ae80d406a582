package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestWrongInputs runs the command lines of testdata/wrong_inputs.txt and compares their exit codes and messages. Each
// wrong input ends with a code that is not 0 and with a sentence of one line, below the chain or the list that it is about.
func TestWrongInputs(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the commands that TestScripts runs, one after the other: left out with -short")
	}
	const path = "testdata/wrong_inputs.txt"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p := &page{T: t, folder: wrongFolder(t)}
	var out strings.Builder
	for block := range strings.SplitSeq(strings.TrimSpace(string(data)), "\n\n") {
		command, want, _ := strings.Cut(strings.TrimPrefix(block, "$ "), "\n")
		got := p.fails(command)
		out.WriteString("$ " + command + "\n" + got + "\n\n")
		if got != want && !*updateDocs {
			t.Errorf("%s\nprints\n%s\nwant\n%s", command, got, want)
		}
	}
	if *updateDocs {
		if err := os.WriteFile(path, []byte(strings.TrimSpace(out.String())+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// fails runs a command line and returns its messages and its exit code.
func (p *page) fails(line string) string {
	var errs strings.Builder
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir, cmd.Stderr = p.folder, &errs
	cmd.Env = append(os.Environ(), "HOME="+p.folder+"/home", "TZ=UTC", "XDG_CACHE_HOME=", "XDG_CONFIG_HOME=")
	err := cmd.Run()
	said := strings.TrimSpace(strings.ReplaceAll(errs.String(), p.folder, "FOLDER"))
	last := said[strings.LastIndexByte(said, '\n')+1:]
	if err == nil || last == "" || strings.Contains(said, "panic") || len(last) > 400 {
		p.Errorf("%s: %v, %q", line, err, said)
	}
	if err == nil {
		return said + "\n[0]"
	}
	return said + "\n[" + strings.TrimPrefix(err.Error(), "exit status ") + "]"
}

// wrongFolder returns a folder with the files that wrong inputs name.
func wrongFolder(t *testing.T) string {
	folder := t.TempDir()
	run, err := os.ReadFile("../../testdata/claude-code/compacted.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{
		"session.jsonl": string(run), "a.jsonl": string(run), "traces/session.jsonl": string(run),
		"empty.jsonl": "", "text.txt": "Dear diary\n", "random.bin": "\x00\x01\xfe\xff random\x00", "elf": "\x7fELF\x02\x01\x01\x00\x00\x00",
		"other.json": `{"a":1}`, "broken.json": "[1,2\n", "null.json": "null\n", "half.db": "SQLite format 3\x00", "bad.toml": "x = [\n",
		"several.jsonl":      `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}` + "\n" + `{"messages":[{"role":"user","content":"c"},{"role":"assistant","content":"d"}]}` + "\n",
		"emptydir/.hidden":   "",
		"dirrun.jsonl/.none": "",
		"home/.hidden":       "",
	} {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"dangling.jsonl": "nowhere", "loop": "loop"} {
		if err := os.Symlink(to, filepath.Join(folder, name)); err != nil {
			t.Skip(err)
		}
	}
	return folder
}
