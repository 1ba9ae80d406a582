package commonmark

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"agentlens/internal/cli"
	"agentlens/internal/export/exporttest"
)

// skeleton returns the blocks of a document, and what is live in it: links, images and HTML other than folds.
func skeleton(source []byte) (blocks string, live []string) {
	doc := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	var b strings.Builder
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			live = append(live, fmt.Sprintf("a link to %q", n.Destination))
		case *ast.Image:
			live = append(live, fmt.Sprintf("an image of %q", n.Destination))
		case *ast.AutoLink:
			live = append(live, fmt.Sprintf("a link to %q", n.URL(source)))
		case *ast.RawHTML:
			live = append(live, "HTML in a line")
		case *ast.HTMLBlock:
			raw := string(n.Lines().Value(source))
			if !strings.HasPrefix(raw, "<details><summary>") && raw != "</details>\n" || strings.Count(raw, "<") > 5 {
				live = append(live, fmt.Sprintf("HTML %q", raw))
			}
		}
		if n.Type() == ast.TypeBlock {
			if h, ok := n.(*ast.Heading); ok {
				fmt.Fprintf(&b, "h%d ", h.Level)
			} else {
				fmt.Fprintf(&b, "%s ", n.Kind())
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String(), live
}

// TestTextIsNoStructure writes records with texts that Markdown could take for structure. The blocks of each
// document are those of a record with harmless texts, and nothing in it is live.
func TestTextIsNoStructure(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, args := range [][]string{{"--format", "md"}, {"--summary"}, {"--format", "md", "--messages", "2..4"}} {
		for _, payload := range exporttest.Payloads() {
			plain := "harmless text"
			if n := strings.Count(payload, "\n"); n > 0 { // texts of several lines are blocks in a summary
				plain += strings.Repeat("\nharmless", n)
			}
			want, _ := skeleton(written(t, plain, args))
			got, live := skeleton(written(t, payload, args))
			if len(live) > 0 {
				t.Errorf("%v: %q is live: %v", args, payload, live)
			}
			if got != want {
				t.Errorf("%v: %q makes\n%s\nwant\n%s", args, payload, got, want)
			}
		}
	}
}

// TestDemoIsInert checks the built-in run.
func TestDemoIsInert(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	for _, args := range [][]string{{"export", "demo"}, {"export", "demo", "--summary"}, {"export", "demo", "--call", "35", "--strategy", "sliding_window(9)"}} {
		var out, said bytes.Buffer
		if code := cli.Run(context.Background(), args, strings.NewReader(""), &out, &said); code != 0 {
			t.Fatal(said.String())
		}
		if _, live := skeleton(out.Bytes()); len(live) > 0 {
			t.Errorf("%v: live: %v", args, live)
		}
	}
}

func written(t *testing.T, payload string, args []string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.jsonl")
	if err := os.WriteFile(path, []byte(exporttest.Chat("run", payload)), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, said bytes.Buffer
	if code := cli.Run(context.Background(), append([]string{"export", path, "--level", "off"}, args...), strings.NewReader(""), &out, &said); code != 0 {
		t.Fatalf("%q: %s", payload, said.String())
	}
	return out.Bytes()
}
