package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentlens/internal/redact"
)

func rules(t *testing.T, text string) (*Redaction, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), RedactionFile), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return (&Settings{Path: path}).ReadRedaction()
}

func TestReadRedaction(t *testing.T) {
	own, err := rules(t, `
title = "gitleaks file"
literals = ["Acme Corp"]
personal = ["iban"]
home = false
[extend]
useDefault = true
disabledRules = ["jwt"]
[allowlist]
stopwords = ["sample"]
[[rules]]
id = "acme-token"
description = "tokens of Acme"
regex = "acme_([a-z0-9]{8})"
keywords = ["acme_"]
secretGroup = 1
  [[rules.allowlists]]
  regexes = ["^0+$"]
`)
	if err != nil {
		t.Fatal(err)
	}
	if own.Home || !own.Environment || len(own.Literals) != 1 || own.Personal[0] != "iban" {
		t.Errorf("got %+v", own)
	}
	r, err := redact.New(redact.Options{Level: redact.Default, User: own.User, Personal: own.Personal})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"acme_a1b2c3d4":                    "a1b2c3d4",
		"acme_00000000":                    "",
		"password=sample-hunter2":          "",
		"password=hunter2xyz":              "hunter2xyz",
		"to DE89 3704 0044 0532 0130 00 .": "DE89 3704 0044 0532 0130 00",
		"to DE88 3704 0044 0532 0130 00 .": "",
	} {
		got := ""
		for _, s := range r.Find(text) {
			got += text[s.Start:s.End]
		}
		if got != want {
			t.Errorf("%q: found %q, want %q", text, got, want)
		}
	}
}

func TestBadRedactionRules(t *testing.T) {
	for text, want := range map[string]string{
		"[[rules]]\nregex = \"a\"":                              "no id",
		"[[rules]]\nid = \"a b\"\nregex = \"a\"":                "invalid rule id",
		"[[rules]]\nid = \"a\"":                                 "no regex",
		"[[rules]]\nid = \"a\"\nregex = \"(\"":                  "regex of rule a",
		"[[rules]]\nid = \"a\"\nregex = \"a\"\nsecretGroup = 2": "0 groups",
		"literals = [\"abc\"]":                                  "too short",
		"personal = [\"name\"]":                                 "use email",
		"rules = 3":                                             "redact.toml",
		"[[rules":                                               "line 1",
		"[allowlist]\nregexes = [\"[\"]":                        "allowlist",
	} {
		_, err := rules(t, text)
		var fault Fault
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if own, err := (&Settings{}).ReadRedaction(); err != nil || own.User != nil || !own.Home {
		t.Errorf("without a file: %+v, %v", own, err)
	}
}
