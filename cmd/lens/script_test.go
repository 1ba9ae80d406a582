package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"lens": main})
}

// TestScripts runs the command lines of testdata/script. Each script has its own empty folder, home and working
// directory. RECORDS is the repository's testdata.
func TestScripts(t *testing.T) {
	records, err := filepath.Abs("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(e *testscript.Env) error {
			e.Setenv("RECORDS", records)
			e.Setenv("HOME", e.WorkDir)
			return nil
		},
	})
}
