package opencode

import (
	"os"
	"testing"
)

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(own + "/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
