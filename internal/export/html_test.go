package export

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"agentlens/internal/model"
	"agentlens/internal/redact"
	"agentlens/internal/safe"
	"agentlens/internal/trace/ground/source"
)

// TestPageIsInert checks that a page contains a record's text only as plain text, and contains no secret.
func TestPageIsInert(t *testing.T) {
	var arena source.Arena
	secret := "AKIA" + strings.Repeat("Q7", 8)
	hostile := `</pre><script>alert(1)</script><img src=x onerror=alert(2)> & "quotes" ` + "\x1b[31m\u202e"
	b := model.NewThread("t", "main")
	b.Add(model.Message{Role: model.User, Parts: []model.Part{{Kind: model.Text, Body: arena.Add(hostile+secret, "1")}}})
	b.Add(model.Message{
		Role: model.Assistant, ToolName: `"><b>`,
		Calls: []model.ToolCall{{ID: "<i>", Name: "<u>run</u>", Args: arena.Add(`{"a":"</pre>"}`, "2")}},
	})
	run := &model.Run{ID: "<x>", Title: "<title>", Threads: []*model.Thread{b.Build()}, Bodies: &arena}
	g, err := safe.NewGate(redact.Options{Level: redact.Strict})
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range Formats() {
		if form.OfView {
			continue
		}
		var out bytes.Buffer
		if _, err := form.Write(&out, g, &Document{Run: run, Threads: run.Threads}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), secret) || strings.ContainsAny(out.String(), "\x1b\u202e") {
			t.Errorf("%s lets through what it must not", form.Name)
		}
		if form.Name != "html" {
			continue
		}
		for _, bad := range []string{"<script", "<img", "<b>\"", "<u>", "<i>\"", "<x>", "<title><"} {
			if strings.Contains(out.String(), bad) {
				t.Errorf("the page holds %q", bad)
			}
		}
		if n := strings.Count(out.String(), "</pre>"); n == 0 || n != strings.Count(out.String(), "<pre ") {
			t.Errorf("%d ends of %d texts", n, strings.Count(out.String(), "<pre "))
		}
		if !strings.HasSuffix(out.String(), "</main></body></html>\n") || !strings.Contains(out.String(), "&lt;script&gt;") {
			t.Error("the page is not whole")
		}
	}
}

// TestPageIDs checks that messages have unique ids across all threads of a page.
func TestPageIDs(t *testing.T) {
	var arena source.Arena
	thread := func(id string) *model.Thread {
		b := model.NewThread(id, "main")
		for range 3 {
			b.Add(model.Message{Role: model.User, Parts: []model.Part{{Kind: model.Text, Body: arena.Add("hello", "1")}}})
		}
		return b.Build()
	}
	run := &model.Run{ID: "r", Threads: []*model.Thread{thread("a"), thread("b")}, Bodies: &arena}
	var out bytes.Buffer
	if err := HTML(&out, newGate(t), &Document{Run: run, Threads: run.Threads}); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, found := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(out.String(), -1) {
		if seen[found[1]] {
			t.Errorf("%s is the name of two messages", found[1])
		}
		seen[found[1]] = true
	}
	for _, id := range []string{"m1", "m2", "m3", "t2-m1", "t2-m2", "t2-m3"} {
		if !seen[id] && !seen["t1-"+id] && !seen[strings.TrimPrefix(id, "t2-")] {
			t.Errorf("no message has the id %s", id)
		}
	}
	for _, found := range regexp.MustCompile(` href="([^"]*)"`).FindAllStringSubmatch(out.String(), -1) {
		if id, ok := strings.CutPrefix(found[1], "#"); !ok || !seen[id] {
			t.Errorf("a link to %s", found[1])
		}
	}
}
