package uitest

import (
	"fmt"
	"strings"
	"time"

	"agentlens/internal/model"
)

const goSource = `// Package greet says hello.
package greet

import "fmt"

/* Hello greets
   by name. */
func Hello(name string) string {
	if name == "" {
		return "hello" // nobody in particular
	}
	return fmt.Sprintf("hello, %s (%d)", name, 42)
}
`

const answer = "The loop is **wrong**: `i` starts at 1.\n\n" +
	"## What to change\n\n" +
	"- start at 0, see https://example.org/loops\n" +
	"- *then* run this:\n\n" +
	"```python\n" +
	"def total(xs: list[int]) -> int:\n" +
	"    \"\"\"Adds up, 日本語 too.\"\"\"\n" +
	"    return sum(x for x in xs if x is not None)  # 🏨\n" +
	"```\n\n" +
	"```\nno language here: return 1\n```\n"

const patch = `diff --git a/greet.go b/greet.go
--- a/greet.go
+++ b/greet.go
@@ -8,3 +8,3 @@ func Hello(name string) string {
 	if name == "" {
-		return "hello"
+		return "hello, you"
 	}
`

// Numbered returns a text with line numbers.
func Numbered(text string) string {
	var b strings.Builder
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		fmt.Fprintf(&b, "%6d→%s\n", i+1, line)
	}
	return b.String()
}

// Code returns a run about code. It has a file that was read, an answer with fenced blocks,
// a diff, JSON and plain prose.
func Code() *model.Run {
	f := &fixture{at: time.Date(2026, 3, 14, 9, 26, 0, 0, time.UTC)}
	f.b = model.NewThread("code", "main")
	f.add(model.User, "Why does `total` *fail*? Use "+Secret()+" if you need it.")
	f.sent(100)
	f.add(model.Assistant, "", f.call("r1", "Read", `{"file_path":"/src/greet.go","limit":40}`))
	f.add(model.Tool, Numbered(goSource), result("r1", false))
	f.sent(200)
	f.add(model.Assistant, answer, f.call("b1", "Bash", `{"command":"git diff","timeout":12,"quiet":true}`), f.call("b2", "Bash", `{"command":"cd /src && cat greet.go"}`), f.call("w1", "Write", `{"file_path":"for.go"}`))
	f.add(model.Tool, patch, result("b1", false))
	f.add(model.Tool, goSource, result("b2", false))
	f.add(model.Tool, "wrote for.go if it was not there", result("w1", false))
	f.add(model.Tool, `{"ok":true,"items":[1,2.5,null],"text":"a \"quoted\" word"}`)
	f.sent(300)
	f.add(model.Assistant, "Done.")
	return &model.Run{ID: "code", Status: model.StatusCompleted, Threads: []*model.Thread{f.b.Build()}, Bodies: &f.arena}
}

// LongCode returns a run with n tool results that are Go files.
func LongCode(n int) *model.Run {
	f := &fixture{at: time.Date(2026, 3, 14, 9, 26, 0, 0, time.UTC)}
	f.b = model.NewThread("code", "main")
	for i := range n {
		id := fmt.Sprint("r", i)
		f.add(model.Assistant, answer, f.call(id, "Read", `{"file_path":"/src/greet.go"}`))
		f.add(model.Tool, Numbered(strings.Repeat(goSource, 5)), result(id, false))
	}
	return &model.Run{ID: "code", Status: model.StatusCompleted, Threads: []*model.Thread{f.b.Build()}, Bodies: &f.arena}
}
