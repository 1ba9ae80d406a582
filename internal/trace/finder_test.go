package trace

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// folder makes a folder of records, some below others.
func folder(t *testing.T, names ...string) string {
	t.Helper()
	root := t.TempDir()
	for _, name := range names {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, bytesOf(t, "pi/tree.jsonl"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// below lists what is found in a folder, by names relative to it.
func below(t *testing.T, f *Finder, root string) (names []string) {
	t.Helper()
	for _, found := range f.Below(t.Context(), root) {
		rel, err := filepath.Rel(root, found.Path)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, filepath.ToSlash(rel))
	}
	slices.Sort(names)
	return names
}

func link(t *testing.T, to, from string) {
	t.Helper()
	if err := os.Symlink(to, from); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
}

// TestFinderEndsInALoop looks through folders that lead back to themselves, and
// past links that lead nowhere.
func TestFinderEndsInALoop(t *testing.T) {
	root := folder(t, "a/one.jsonl", "a/b/two.json")
	link(t, root, filepath.Join(root, "a", "b", "up"))
	link(t, "self.jsonl", filepath.Join(root, "self.jsonl"))
	link(t, "nowhere", filepath.Join(root, "dangling.jsonl"))
	f := &Finder{Env: os.Getenv}
	if got, want := below(t, f, root), []string{"a/b/two.json", "a/one.jsonl"}; !slices.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
	if len(f.Faults) != 2 {
		t.Errorf("faults %v: the link to itself and the one to nowhere are two", f.Faults)
	}
	for _, fault := range f.Faults {
		if fault.Err == nil || !strings.HasPrefix(fault.Path, root) {
			t.Errorf("a fault says where and what: %+v", fault)
		}
	}
}

// TestFinderFindsEachFileOnce gives a file a second name and asks twice.
func TestFinderFindsEachFileOnce(t *testing.T) {
	root := folder(t, "a/one.jsonl")
	link(t, filepath.Join("a", "one.jsonl"), filepath.Join(root, "again.jsonl"))
	f := &Finder{Env: os.Getenv}
	if got := below(t, f, root); len(got) != 1 {
		t.Errorf("found %v: one file under two names", got)
	}
	if got := below(t, f, filepath.Join(root, "a")); len(got) != 0 {
		t.Errorf("found again: %v", got)
	}
}

// TestFinderTellsWhatItMayNotRead leaves a folder out that may not be looked into.
func TestFinderTellsWhatItMayNotRead(t *testing.T) {
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("this user may read everything")
	}
	root := folder(t, "open/one.jsonl", "closed/two.jsonl")
	closed := filepath.Join(root, "closed")
	if err := os.Chmod(closed, 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(closed, 0o755)
	f := &Finder{Env: os.Getenv}
	if got := below(t, f, root); !slices.Equal(got, []string{"open/one.jsonl"}) {
		t.Errorf("found %v", got)
	}
	if len(f.Faults) != 1 || f.Faults[0].Path != closed {
		t.Errorf("faults %v", f.Faults)
	}
}

// TestFinderBounds looks no deeper than is sound, and not at what is no source.
func TestFinderBounds(t *testing.T) {
	deep := strings.Repeat("d/", maxDepth+3) + "too-deep.jsonl"
	root := folder(t, deep, "notes.md", "session/subagents/agent-1.jsonl", "shallow/one.jsonl")
	f := &Finder{Env: os.Getenv}
	if got := below(t, f, root); !slices.Equal(got, []string{"shallow/one.jsonl"}) {
		t.Errorf("found %v", got)
	}
	if f.found != nil || len(f.Faults) != 0 {
		t.Errorf("left over: %v, %v", f.found, f.Faults)
	}
}

// TestOpenWhatIsNotThere says so in a sentence that names the path.
func TestOpenWhatIsNotThere(t *testing.T) {
	root := folder(t, "one.jsonl")
	for path, want := range map[string]string{
		filepath.Join(root, "gone.jsonl"): "no such file",
		root:                              "a folder",
		filepath.Join(root, "one.jsonl", "inside.zip"): "",
	} {
		_, err := Open(t.Context(), path)
		if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestFinderLeavesParts says that what is a part of a run is no source: the files
// of a session's sub-agents and long results, and the events of a conversation.
func TestFinderLeavesParts(t *testing.T) {
	root := folder(t, "p/s.jsonl", "p/s/subagents/agent-a.jsonl", "p/s/tool-results/t.txt", "c/base_state.json", "c/events/event-1.json", "other/events/day.json")
	if got, want := below(t, &Finder{Env: os.Getenv}, root), []string{"c/base_state.json", "other/events/day.json", "p/s.jsonl"}; !slices.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
}
