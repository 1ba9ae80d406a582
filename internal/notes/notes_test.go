package notes

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/source"
)

// run returns a run of user messages. A text "id=x y" gives the message the id x.
func run(texts ...string) *model.Run {
	arena := &source.Arena{}
	b := model.NewThread("main", "")
	for _, text := range texts {
		m := model.Message{Role: model.User}
		if rest, ok := strings.CutPrefix(text, "id="); ok {
			m.ID, text, _ = strings.Cut(rest, " ")
		}
		m.Parts = []model.Part{{Body: arena.Add(text, "here")}}
		b.Add(m)
	}
	return &model.Run{ID: "r1", Format: "test", Bodies: arena, Threads: []*model.Thread{b.Build()}}
}

func store(t *testing.T) *Store {
	return &Store{Dir: filepath.Join(t.TempDir(), "lens", "notes"), Now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }}
}

func TestNotes(t *testing.T) {
	s := store(t)
	r := run("a", "b", "id=m3 c", "d")
	th := r.Threads[0]
	for i, text := range []string{1: " why? ", 2: "the cause"} {
		if text == "" {
			continue
		}
		if _, err := s.Write(r, th, i, text); err != nil {
			t.Fatal(err)
		}
	}
	entries, _ := os.ReadDir(s.Dir)
	if len(entries) != 1 {
		t.Fatalf("%d files", len(entries))
	}
	if info, _ := entries[0].Info(); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	for _, c := range []struct {
		name    string
		texts   []string
		want    string // the notes by message
		orphans int
	}{
		{"the same run", []string{"a", "b", "id=m3 c", "d"}, "1 why? 2 the cause", 0},
		{"it has grown", []string{"a", "b", "id=m3 c", "d", "e"}, "1 why? 2 the cause", 0},
		{"messages before are gone", []string{"b", "id=m3 c", "d"}, "0 why? 1 the cause", 0},
		{"a text with an id has changed", []string{"a", "b", "id=m3 C", "d"}, "1 why? 2 the cause", 0},
		{"the nearest of equal messages", []string{"b", "b", "b", "id=m3 c"}, "1 why? 3 the cause", 0},
		{"a message is gone", []string{"a", "x", "id=m3 c"}, "2 the cause", 1},
		{"no message", nil, "", 2},
	} {
		got := run(c.texts...)
		b, err := s.Read(got)
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, p := range b.Places(got) {
			list = append(list, string(rune('0'+p.Index))+" "+b.At(p.Thread, p.Index))
		}
		if strings.Join(list, " ") != c.want || len(b.Orphans) != c.orphans {
			t.Errorf("%s: %q and %d orphans, want %q and %d", c.name, list, len(b.Orphans), c.want, c.orphans)
		}
	}
	b, err := s.Write(r, th, 1, "because")
	if err != nil || b.At(th, 1) != "because" || b.Len() != 2 {
		t.Errorf("changed: %v, %v", b, err)
	}
	s.Write(r, th, 1, "")
	if b, err = s.Write(r, th, 2, ""); err != nil || b.Len() != 0 {
		t.Errorf("removed: %v, %v", b, err)
	}
	if entries, _ := os.ReadDir(s.Dir); len(entries) != 0 {
		t.Errorf("%d files are left", len(entries))
	}
}

func TestNotesRefuse(t *testing.T) {
	r := run("a")
	th := r.Threads[0]
	if _, err := (&Store{}).Write(r, th, 0, "x"); err == nil || !strings.Contains(err.Error(), "XDG_DATA_HOME") {
		t.Error(err)
	}
	if b, err := (*Store)(nil).Read(r); err != nil || b.Len() != 0 {
		t.Error(b, err)
	}
	s := store(t)
	if _, err := s.Write(r, th, 0, strings.Repeat("x", MaxText+1)); err == nil || !strings.Contains(err.Error(), "too long") {
		t.Error(err)
	}
	os.MkdirAll(s.Dir, 0o700)
	for _, broken := range []string{"{", `{"schema":"other"}`, ""} {
		os.WriteFile(s.path(r), []byte(broken), 0o600)
		if _, err := s.Read(r); err == nil || !strings.Contains(err.Error(), "is not a file of notes") {
			t.Errorf("%q: %v", broken, err)
		}
		if _, err := s.Write(r, th, 0, "x"); err == nil {
			t.Errorf("%q was overwritten", broken)
		}
	}
	os.Remove(s.path(r))
	os.Mkdir(s.path(r), 0o700)
	if _, err := s.Read(r); err == nil {
		t.Error("a folder is read")
	}
}

func TestFolder(t *testing.T) {
	for _, c := range []struct{ xdg, home, want string }{
		{"/data", "/home/u", "/data/lens/notes"}, {"data", "/home/u", "/home/u/.local/share/lens/notes"}, {"", "", ""},
	} {
		if got := Folder(func(k string) string { return map[string]string{"XDG_DATA_HOME": c.xdg, "HOME": c.home}[k] }); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// FuzzRead checks that a damaged file is an error or notes, never a panic.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"schema":"notes 1 of lens","format":"test","run":"r1","notes":[{"thread":"main","index":-5,"text":"x"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &Store{Dir: t.TempDir()}
		r := run("a", "b")
		os.WriteFile(s.path(r), data, 0o600)
		b, err := s.Read(r)
		if err == nil && len(b.at)+len(b.Orphans) != b.Len() {
			t.Fatalf("%d placed and %d orphans of %d", len(b.at), len(b.Orphans), b.Len())
		}
	})
}
