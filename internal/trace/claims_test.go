package trace

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentlens/internal/trace/ground/rows/rowstest"
	"agentlens/internal/trace/ground/source"
)

// samples is the folder of genuine files, which does not belong to this tree.
const samples = "../../../shared/samples"

// genuine gives the path of a genuine sample; the test is skipped, visibly, where
// the folder is not there.
func genuine(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(filepath.FromSlash(samples), filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("genuine samples are not beside this tree: %v", err)
	}
	return path
}

// recordsFormat returns the format whose files a folder of records holds. A folder of
// testdata has the name of its format; two folders of samples have names of their own.
func recordsFormat(folder string) string {
	switch folder {
	case "raw-capture":
		return "openai-responses"
	case "corpus":
		return "claude-code"
	}
	return folder
}

// nobodys are the files no family claims, by path below their root, and why.
func nobodys() map[string]string {
	return map[string]string{
		"README.md":                        "says what the samples are",
		"corpus/README.md":                 "describes the samples",
		"corpus/facts.json":                "describes the samples",
		"expect.json":                      "says what is in the samples",
		"facts.json":                       "says what is in the samples",
		"redaction":                        "texts to find secrets in",
		"ui":                               "screens",
		"wink/f_expected_plain_render.txt": "says what a sample looks like",
		"opencode/derived-subagents/storage/message": "a part of a session that is many files: the folder is the source",
		"opencode/derived-subagents/storage/part":    "a part of a session that is many files: the folder is the source",
	}
}

// alsoClaimed are the files that a second family, later in the table, claims too.
func alsoClaimed() map[string]string {
	return map[string]string{
		"anthropic-messages/history.jsonl": "openai-chat", // lines without a type: only one of them has blocks of the other interface
	}
}

// TestClaims offers every record and every genuine sample to every sniffer: its
// own family claims it, and no other does.
func TestClaims(t *testing.T) {
	claimed := map[string]int{}
	for _, root := range []string{own, samples} {
		t.Run(filepath.Base(root), func(t *testing.T) {
			if root == samples {
				genuine(t, ".")
			}
			files := 0
			err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
				if err != nil || filepath.Ext(path) == ".outline" {
					return err
				}
				rel, _ := filepath.Rel(root, path)
				want := expected(filepath.ToSlash(rel), d.IsDir())
				got := claims(t, path)
				if !slices.Equal(got, want) {
					t.Errorf("%s is claimed by %v, want %v", rel, got, want)
				}
				for _, name := range got {
					claimed[name]++
				}
				files++
				return nil
			})
			if err != nil || files < 50 {
				t.Errorf("%d files were looked at: %v", files, err)
			}
		})
	}
	for _, format := range Formats() {
		if claimed[format.Name] == 0 {
			t.Errorf("no file of %s was there to be claimed", format.Name)
		}
	}
}

// expected are the families that claim a file or folder.
func expected(rel string, dir bool) []string {
	folder, _, _ := strings.Cut(rel, "/")
	switch {
	case dir && (rel == "opencode/derived-subagents" || rel == "opencode/derived-subagents/storage"):
		return []string{"opencode"}
	case dir, strings.HasSuffix(rel, "-wal"), strings.HasSuffix(rel, "-shm"): // parts of a database that somebody has open
		return nil
	}
	for name := range nobodys() {
		if rel == name || folder == name || strings.HasPrefix(rel, name+"/") {
			return nil
		}
	}
	want := []string{recordsFormat(folder)}
	if second, ok := alsoClaimed()[rel]; ok {
		want = append(want, second)
	}
	return want
}

// claims lists the families that take the file for theirs.
func claims(t *testing.T, path string) (names []string) {
	t.Helper()
	if filepath.Ext(path) == ".sql" {
		path = rowstest.MakeFile(t, path)
	}
	f, err := source.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, format := range Formats() {
		if format.Sniff(f) {
			names = append(names, format.Name)
		}
	}
	return names
}

// TestFormats holds the table: names are not used twice, and each row is whole.
func TestFormats(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range Formats() {
		if f.Name == "" || f.Title == "" || seen[f.Name] || f.Sniff == nil || f.Open == nil || len(f.Places) == 0 {
			t.Errorf("the row of %q is not whole, or not the only one", f.Name)
		}
		seen[f.Name] = true
		if f.Proven != "genuine files" && f.Proven != "second-hand" {
			t.Errorf("%s: proven on %q", f.Name, f.Proven)
		}
	}
}
