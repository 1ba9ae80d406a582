package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"agentlens/tools/internal/tree"
)

func TestIdentify(t *testing.T) {
	root, err := tree.Root()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "LICENSE"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"LICENSE.txt": string(text), "README.md": "Apache License 2.0", "LICENSE-3RD-PARTY.md": "MPL"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := identify(dir)
	if err != nil || !slices.Equal(got.names, []string{"MIT"}) || got.copyright != "Copyright (c) 2026 The lens authors" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestUnknownLicenceIsAnError(t *testing.T) {
	if l, err := identify(t.TempDir()); err != nil || len(l.names) > 0 {
		t.Errorf("an empty module: %+v, %v", l, err)
	}
	if name, err := withoutFileOf("example.org/none"); err == nil {
		t.Errorf("a module without a licence is under %q", name)
	}
}

func TestAddMergesSystems(t *testing.T) {
	all := map[string]*module{}
	const pkg = `{"Module":{"Path":"example.org/a","Version":"v1.0.0","Dir":"/a"}}`
	for system, out := range map[string]string{"linux": pkg + pkg + "{}", "windows": pkg + `{"Module":{"Path":"ours","Main":true}}`} {
		if err := add(all, system, out); err != nil {
			t.Fatal(err)
		}
	}
	if len(all) != 1 || len(all["example.org/a"].systems) != 2 {
		t.Errorf("%+v", all)
	}
}

func TestFirstSentence(t *testing.T) {
	for text, want := range map[string]string{
		"a.go is made by\nb. Its terms:\n\nMIT": "a.go is made by b.",
		"from c, which have this licence:":      "from c.",
	} {
		if got := firstSentence(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
