package programs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestEditorCommand(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "-x run.jsonl")
	os.WriteFile(file, []byte("{}\n{}\n"), 0o600)
	t.Chdir(dir)
	for _, c := range []struct {
		visual, editor string
		line           int
		want           []string
	}{
		{"vim", "nano", 7, []string{"vim", "-R", "+7", file}},
		{"", "nano", 7, []string{"nano", "-v", "+7", file}},
		{"code --wait", "", 12, []string{"code", "--wait", "-g", file + ":12"}},
		{"emacsclient -t -a ''", "", 3, []string{"emacsclient", "-t", "-a", "", "+3", file}},
		{"/usr/bin/nvim", "", 0, []string{"/usr/bin/nvim", "-R", "+1", file}},
		{"'/my apps/hx'", "", 2, []string{"/my apps/hx", file + ":2"}},
		{"less -S", "", 2, []string{"less", "-S", "+2g", file}},
		{"unheard-of", "", 2, []string{"unheard-of", file}},
		{"vim; rm -rf", "", 2, []string{"vim;", "rm", "-rf", file}},
	} {
		env := map[string]string{"VISUAL": c.visual, "EDITOR": c.editor}
		got, err := EditorCommand(func(k string) string { return env[k] }, "-x run.jsonl", c.line)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, %v, want %q", c.visual+c.editor, got, err, c.want)
		}
	}
}

func TestEditorRefuses(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		os.WriteFile(path, []byte(text), 0o600)
		return path
	}
	for _, c := range []struct{ editor, path, want string }{
		{"", write("a.jsonl", "{}"), "no editor is set: set VISUAL or EDITOR"},
		{"  ", write("a.jsonl", "{}"), "no editor is set"},
		{"vim 'x", write("a.jsonl", "{}"), "EDITOR: "},
		{"vim", write("a.db", "SQLite format 3\x00"), "a.db is an SQLite database: an editor cannot show a line of it"},
		{"vim", write("a.gz", "\x1f\x8b\x08"), "compressed (gzip)"},
		{"vim", write("a.zst", "\x28\xb5\x2f\xfd"), "compressed (zstd)"},
		{"vim", write("a.zip", "PK\x03\x04"), "an archive (zip)"},
		{"vim", dir, "is a folder"},
		{"vim", filepath.Join(dir, "none"), "open none: no such file"},
		{"vim", os.DevNull, "is not a file"},
	} {
		_, err := EditorCommand(func(k string) string { return map[string]string{"EDITOR": c.editor}[k] }, c.path, 1)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.path, err, c.want)
		}
	}
}

func TestForeground(t *testing.T) {
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if err := Foreground([]string{"echo", "a; b", "$HOME"}, false, nil, out); err != nil {
		t.Skip(err)
	}
	if got, _ := os.ReadFile(out.Name()); string(got) != "a; b $HOME\n" {
		t.Errorf("%q", got)
	}
	if err := Foreground([]string{"false"}, false, nil, out); err == nil || err.Error() != "false ended with exit status 1" {
		t.Error(err)
	}
	if err := Foreground([]string{"no-such-program-here"}, false, nil, out); err == nil || !strings.Contains(err.Error(), `"no-such-program-here" is not a program`) {
		t.Error(err)
	}
}
