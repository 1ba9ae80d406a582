package toolview

import (
	"strings"
	"testing"
)

const home = "/home/dev/shop"

// shown formats a row as the screen does.
func shown(c *Call) string {
	r := c.Row()
	parts := []string{r.Verb, r.Object}
	if r.Failed {
		parts = append(parts, "✗")
	}
	parts = append(parts, r.Figure)
	if c.Result != nil && !r.Says.Absent() {
		parts = append(parts, "·", OneLine(c.Result.Text[r.Says.Start:r.Says.End]))
	}
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}

// none is the result of a call without one.
const none = "\x00"

// The shapes of arguments and results as the agents record them.
func TestRows(t *testing.T) {
	for agent, calls := range map[string][][4]string{ // name, arguments, result, row
		"Claude Code": {
			{"Edit", `{"replace_all":false,"file_path":"/home/dev/shop/money/round.go","old_string":"a\nb\nc","new_string":"a\nB\nc\nd"}`, "The file /home/dev/shop/money/round.go has been updated. Here's the result of running `cat -n` on a snippet of the edited file:\n     1→a\n     2→B", "Edit money/round.go +2 −1"},
			{"Edit", `{"file_path":"/home/dev/shop/a.go","old_string":"x","new_string":"y"}`, "<tool_use_error>String to replace not found in file.\nString: x</tool_use_error>", "Edit a.go · String to replace not found in file."},
			{"MultiEdit", `{"file_path":"/home/dev/shop/a.go","edits":[{"old_string":"a","new_string":"b"},{"old_string":"c","new_string":"d\ne"}]}`, none, "MultiEdit a.go +3 −2"},
			{"Read", `{"file_path":"/home/dev/shop/total.go"}`, "     1→package shop\n     2→\n     3→func Total() int {\n\n<system-reminder>\nCheck for malware.\n</system-reminder>\n", "Read total.go 3 lines"},
			{"Read", `{"file_path":"/home/dev/shop/total.go","offset":325,"limit":60}`, "   325→x\n   326→y\n", "Read total.go:325–384 2 lines"},
			{"Write", `{"file_path":"/home/dev/shop/new.go","content":"package shop\n\nvar X int\n"}`, "File created successfully at: /home/dev/shop/new.go", "Write new.go 3 lines"},
			{"Bash", `{"command":"cd /home/dev/shop && go test ./...","description":"Run tests"}`, "Exit code 1\n=== RUN   TestRound\n    round_test.go:9: got 2\n--- FAIL: TestRound (0.00s)\nFAIL\nFAIL\tshop/money\t0.1s", "Bash go test ./... ✗ exit 1 · FAIL: TestRound"},
			{"Bash", `{"command":"git status"}`, "On branch main\nnothing to commit", "Bash git status 2 lines · On branch main"},
			{"Bash", `{"command":"touch x"}`, "", "Bash touch x no output"},
			{"Grep", `{"pattern":"js_parse","path":"/home/dev/shop/cmd","output_mode":"content","-n":true}`, "cmd/a.go:3:js_parse(x)\ncmd/a.go-4-}\ncmd/b.go:9:js_parse(y)", "Grep js_parse in cmd 2 hits"},
			{"Grep", `{"pattern":"js_parse"}`, "Found 14 files\na.go\nb.go", "Grep js_parse 14 files"},
			{"Grep", `{"pattern":"js_parse"}`, "No matches found", "Grep js_parse no hits"},
			{"Glob", `{"pattern":"**/*.go"}`, "/home/dev/shop/a.go\n/home/dev/shop/b.go", "Glob **/*.go 2 files"},
			{"TodoWrite", `{"todos":[{"content":"read","status":"completed","activeForm":"Reading"},{"content":"fix","status":"in_progress"},{"content":"test","status":"pending"}]}`, "Todos have been modified successfully.", "TodoWrite fix 1/3 done"},
			{"TaskUpdate", `{"taskId":"2","status":"completed"}`, "Updated task #2 status", "TaskUpdate 2 (completed)"},
			{"Task", `{"description":"Explore the parser","prompt":"Read all","subagent_type":"Explore"}`, "## Summary\n\nIt is recursive.", "Task Explore the parser (Explore) 3 lines · Summary"},
			{"WebFetch", `{"url":"https://go.dev/doc","prompt":"what is new"}`, "Nothing.", "WebFetch go.dev/doc · Nothing."},
			{"WebSearch", `{"query":"go 1.26"}`, `Links: [{"title":"a","url":"https://a"},{"title":"b","url":"https://b"}]`, "WebSearch go 1.26 2 links"},
			{"Skill", `{"skill":"commit"}`, "Launching skill: commit", "Skill commit · Launching skill: commit"},
			{"ExitPlanMode", `{"plan":"# Plan: fix rounding\n\n1. read"}`, "User has approved your plan.", "ExitPlanMode Plan: fix rounding"},
			{"mcp__weather__get_weather", `{"city":"Berlin"}`, "Cloudy, 15 °C", "get_weather city=Berlin · Cloudy, 15 °C"},
		},
		"Codex": {
			{"exec_command", `{"cmd":"go build ./...","workdir":"/home/dev/shop","yield_time_ms":1000}`, "Chunk ID: 45d6c1\nWall time: 1.0020 seconds\nProcess exited with code 2\nOriginal token count: 12\nOutput:\n# shop\n./a.go:3:1: undefined: x\n", "exec_command go build ./... ✗ exit 2 · ./a.go:3:1: undefined: x"},
			{"exec_command", `{"cmd":"pwd"}`, "Chunk ID: ec45e3\nWall time: 0.0000 seconds\nProcess exited with code 0\nOriginal token count: 12\nOutput:\n/home/dev/shop\n", "exec_command pwd · /home/dev/shop"},
			{"shell", `{"command":["bash","-lc","ls -1 src"],"workdir":"/home/dev/shop"}`, `{"output":"a.py\nb.py\n","metadata":{"exit_code":0,"duration_seconds":0.1}}`, "shell ls -1 src 2 lines · a.py"},
			{"shell_command", `{"command":"false"}`, "Exit code: 1\nWall time: 0 seconds\nOutput:\n", "shell_command false ✗ exit 1"},
			{"shell", `{"command":["bash","-lc","apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.go\n@@\n-x\n+y\n+z\n*** End Patch\nEOF"]}`, none, "shell a.go +2 −1"},
			{"apply_patch", "*** Begin Patch\n*** Update File: src/a.go\n@@ func a\n-old\n+new\n context\n*** Add File: src/b.go\n+package b\n*** End Patch", "Success. Updated the following files:\nM src/a.go\nA src/b.go", "apply_patch src/a.go and 1 more file +2 −1"},
			{"apply_patch", `{"input":"*** Begin Patch\n*** Delete File: a.go\n*** End Patch"}`, none, "apply_patch a.go"},
			{"update_plan", `{"plan":[{"step":"read","status":"completed"},{"step":"fix","status":"in_progress"}]}`, "Plan updated", "update_plan fix 1/2 done"},
			{"view_image", `{"path":"/home/dev/shop/a.png"}`, none, "view_image a.png"},
			{"multi_agent_v1.spawn_agent", `{"agent_type":"default","message":"Reply with a summary"}`, `{"agent_id":"0190","nickname":"Volta"}`, `spawn_agent Reply with a summary (default) · {"agent_id":"0190","nickname":"Volta"}`},
			{"write_stdin", `{"session_id":3,"chars":"q\n"}`, "Wall time: 0.1 seconds\nProcess running with session ID 3\nOutput:\nbye", "write_stdin q · bye"},
		},
		"Gemini CLI": {
			{"run_shell_command", `{"command":"git status","description":"check"}`, "Command: git status\nDirectory: (root)\nOutput: On branch main\nclean\nError: (none)\nExit Code: 0\nSignal: 0\nBackground PIDs: (none)\nProcess Group PGID: 26593", "run_shell_command git status 2 lines · On branch main"},
			{"run_shell_command", `{"command":"rm a"}`, "Command: rm a\nDirectory: (root)\nOutput: (empty)\nError: (none)\nExit Code: 0\nSignal: 0\nBackground PIDs: (none)\nProcess Group PGID: 2", "run_shell_command rm a no output"},
			{"run_shell_command", `{"command":"ls -F"}`, "Output: src/\nREADME.md\nProcess Group PGID: 12345", "run_shell_command ls -F 2 lines · src/"},
			{"read_file", `{"absolute_path":"/home/dev/shop/a.md"}`, "# A\n\ntext", "read_file a.md 3 lines"},
			{"replace", `{"file_path":"/home/dev/shop/a.md","instruction":"fix","old_string":"A","new_string":"B"}`, "Successfully modified file: a.md (1 replacements).", "replace a.md +1 −1"},
			{"write_file", `{"file_path":"docs/blue.md","content":"# Blue"}`, "Successfully created and wrote to new file: docs/blue.md.", "write_file docs/blue.md 1 line"},
			{"search_file_content", `{"pattern":"TODO","include":"*.go"}`, "Found 3 matches for pattern \"TODO\" in path \".\":\n---\nFile: a.go\nL5: // TODO", "search_file_content TODO in *.go 3 hits"},
			{"list_directory", `{"path":"/home/dev/shop"}`, "Directory listing for /home/dev/shop:\n[DIR] src\nREADME.md", "list_directory . 2 entries"},
			{"google_web_search", `{"query":"go"}`, "Go is a language.", "google_web_search go · Go is a language."},
			{"write_todos", `{"todos":[{"description":"a","status":"completed"}]}`, none, "write_todos a 1/1 done"},
		},
		"OpenCode": {
			{"read", `{"filePath":"/home/dev/shop/a.go"}`, "<file>\n00001| package shop\n00002| var X int\n\n(End of file - total 2 lines)\n</file>", "read a.go 2 lines"},
			{"read", `{"filePath":"/home/dev/shop/a.go"}`, "<path>/home/dev/shop/a.go</path>\n<type>file</type>\n<content>1: package shop\n2: var X int\n\n(End of file - total 2 lines)\n</content>", "read a.go 2 lines"},
			{"edit", `{"filePath":"/home/dev/shop/a.go","oldString":"x","newString":"y"}`, "Edit applied successfully.", "edit a.go +1 −1"},
			{"apply_patch", `{"patchText":"*** Begin Patch\n*** Update File: a.go\n-x\n+y\n*** End Patch"}`, none, "apply_patch a.go +1 −1"},
			{"bash", `{"command":"date","description":"time"}`, "12:52 AM\n", "bash date · 12:52 AM"},
			{"todowrite", `{"todos":[{"content":"a","status":"pending","priority":"high","id":"1"}]}`, "[]", "todowrite a 0/1 done"},
			{"task", `{"description":"Tell a joke","prompt":"joke","subagent_type":"general"}`, "task_id: ses_2489 (for resuming)\n\n<task_result>\n\nHa.\n</task_result>", "task Tell a joke (general) · Ha."},
			{"grep", `{"pattern":"x","include":"*.go"}`, "Found 2 matches\n/home/dev/shop/a.go:\n  Line 5: x\n  Line 6: x", "grep x in *.go 2 hits"},
			{"webfetch", `{"url":"https://go.dev","format":"markdown"}`, "# Go", "webfetch go.dev · Go"},
		},
		"Copilot CLI": {
			{"bash", `{"command":"ls","description":"List files","sessionId":"main","async":false}`, "file1\nfile2\n<exited with exit code 0>", "bash ls 2 lines · file1"},
			{"bash", `{"command":"make"}`, "make: *** No rule to make target\n<exited with exit code 2>", "bash make ✗ exit 2 · make: *** No rule to make target"},
			{"view", `{"path":"/home/dev/shop/a.go","view_range":[10,20]}`, "10. x\n11. y", "view a.go:10–20 2 lines"},
			{"create", `{"path":"/home/dev/shop/b.go","file_text":"package b\n"}`, "Created file /home/dev/shop/b.go with 10 characters", "create b.go 1 line"},
			{"edit", `{"path":"/home/dev/shop/b.go","old_str":"b","new_str":"c"}`, "File b.go updated with changes.", "edit b.go +1 −1"},
			{"report_intent", `{"intent":"Exploring the parser"}`, "Intent logged", "report_intent Exploring the parser"},
			{"update_todo", `{"todos":"- [x] read\n- [ ] fix"}`, "TODO list updated", "update_todo fix 1/2 done"},
			{"read_bash", `{"sessionId":"main","delay":5}`, "done", "read_bash main · done"},
			{"task", `{"agent_type":"explore","description":"Find it","prompt":"find"}`, none, "task Find it (explore)"},
		},
		"Crush": {
			{"view", `{"file_path":"/home/dev/shop/a.go","offset":0,"limit":2000}`, "<file>\n     1|package shop\n     2|var X int\n</file>\n", "view a.go:1–2000 2 lines"},
			{"edit", `{"file_path":"/home/dev/shop/a.go","old_string":"x","new_string":""}`, "<result>\nContent deleted from file: a.go\n</result>\n", "edit a.go +0 −1"},
			{"multiedit", `{"file_path":"a.go","edits":[{"old_string":"a","new_string":"b"}]}`, none, "multiedit a.go +1 −1"},
			{"bash", `{"command":"go vet","description":"vet"}`, "vet: a.go:1:1\nExit code 1\n\n<cwd>/home/dev/shop</cwd>", "bash go vet ✗ exit 1 · vet: a.go:1:1"},
			{"fetch", `{"url":"https://go.dev","format":"text"}`, "Go\nlang", "fetch go.dev 2 lines · Go"},
			{"ls", `{"path":"/home/dev/shop"}`, "- /home/dev/shop/\n  - a.go", "ls . 2 entries"},
			{"agent", `{"prompt":"find usages of X"}`, "None.", "agent find usages of X · None."},
			{"todos", `{"todos":[{"content":"a","status":"in_progress","active_form":"A"}]}`, none, "todos a 0/1 done"},
		},
		"Goose": {
			{"developer__shell", `{"command":"ls"}`, "a\nb", "shell ls 2 lines · a"},
			{"developer__text_editor", `{"command":"view","path":"/home/dev/shop/a.go"}`, "package shop", "view a.go 1 line"},
			{"developer__text_editor", `{"command":"str_replace","path":"/home/dev/shop/a.go","old_str":"a","new_str":"b\nc"}`, "The file /home/dev/shop/a.go has been edited, and the section now reads:\nb\nc", "edit a.go +2 −1"},
			{"developer__text_editor", `{"command":"write","path":"/home/dev/shop/a.go","file_text":"a\nb\n"}`, "Successfully wrote to a.go", "create a.go 2 lines"},
			{"todo__todo_write", `{"content":"- [x] read\n- [ ] fix\n"}`, "Updated (20 chars)", "todo_write fix 1/2 done"},
			{"platform__manage_schedule", `{"action":"list"}`, "[]", "manage_schedule action=list · []"},
		},
		"OpenHands": {
			{"execute_bash", `{"command":"python a.py","is_input":"false"}`, "Traceback (most recent call last):\n  File \"a.py\", line 1\nValueError: no\n[The command completed with exit code 1.]\n[Current working directory: /workspace]\n[Python interpreter: /usr/bin/python]\n[Command finished with exit code 1]", "execute_bash python a.py ✗ exit 1 · ValueError: no"},
			{"terminal", `{"command":"python hello.py","security_risk":"LOW"}`, "Hello, World!\n[The command completed with exit code 0.]\n[Current working directory: /w]\n[Python interpreter: /p]", "terminal python hello.py · Hello, World!"},
			{"str_replace_editor", `{"command":"create","path":"/workspace/hello.py","file_text":"print(1)"}`, "Ran into [Errno 2] No such file or directory", "create /workspace/hello.py · Ran into [Errno 2] No such file or directory"},
			{"str_replace_editor", `{"command":"view","path":"/workspace/a/b/c/hello.py"}`, "Here's the result of running `cat -n` on /workspace/a/b/c/hello.py:\n     1\tprint(1)\n     2\tprint(2)\n", "view …/b/c/hello.py 2 lines"},
			{"str_replace_editor", `{"command":"insert","path":"/w/a.py","insert_line":3,"new_str":"x\ny"}`, none, "edit /w/a.py +2 −0"},
			{"execute_ipython_cell", `{"code":"1+1"}`, "2\n[Jupyter current working directory: /w]\n[Jupyter Python interpreter: /p]", "execute_ipython_cell 1+1 · 2"},
			{"think", `{"thought":"The bug is in round()."}`, "Your thought has been logged.", "think The bug is in round()."},
			{"finish", `{"message":"Done.","task_completed":"true"}`, none, "finish Done."},
			{"task_tracker", `{"command":"plan","task_list":[{"id":"1","title":"read","status":"done"},{"id":"2","title":"fix","status":"todo"}]}`, none, "task_tracker fix 1/2 done"},
		},
		"SWE-agent": {
			{"bash", `{"command":"grep -rn x ."}`, "<returncode>0</returncode>\n<output>\na.py:1:x\n</output>", "bash grep -rn x . · a.py:1:x"},
			{"open", `{"path":"src/a.py","line_number":10}`, "[File: /repo/src/a.py (120 lines total)]\n(9 more lines above)\n10:x\n11:y\n(Open file: /repo/src/a.py)\n(Current directory: /repo)\nbash-$", "open src/a.py 3 lines"},
			{"search_dir", `{"search_term":"round","dir":"src"}`, "Found 4 matches for \"round\" in /repo/src:\n/repo/src/a.py (4 matches)", "search_dir round in src 4 hits"},
			{"find_file", `{"file_name":"a.py"}`, "Found 1 matches for \"a.py\" in /repo:\n/repo/src/a.py", "find_file a.py 1 file"},
			{"edit", `{"search":"x = 1","replace":"x = 2"}`, "Text replaced.", "edit x = 1, replace=x = 2 +1 −1"},
			{"submit", `{}`, none, "submit"},
		},
		"others": {
			{"lookup_order", `{"path":"/home/dev/shop/orders/7.json","depth":2}`, `{"total":12}`, `lookup_order orders/7.json, depth=2 · {"total":12}`},
			{"runner", `{"cmd":"make all"}`, "a\nb\nc", "runner make all 3 lines · a"},
			{"note", `just words`, "ok", "note just words · ok"},
			{"note", `{"a":{"b":[1,2]},"c":null}`, none, `note a={"b":[1,2]}`},
			{"", `{}`, "", "no output"},
			{"read", `{not json`, none, "read {not json"},
		},
	} {
		for _, c := range calls {
			call := Call{Name: c[0], Args: c[1], Base: home}
			if c[2] != none {
				o := Open(c[2], call.Kind())
				call.Result = &o
			}
			if got := shown(&call); got != c[3] {
				t.Errorf("%s, %s(%s):\n got %s\nwant %s", agent, c[0], c[1], got, c[3])
			}
		}
	}
}

// A call that the record marks as failed is not shown with the outcome of a success.
func TestFailedCalls(t *testing.T) {
	o := Open("<tool_use_error>File has not been read yet.</tool_use_error>", Edit)
	c := Call{Name: "Edit", Args: `{"file_path":"a.go","old_string":"x","new_string":"y"}`, Failed: true, Result: &o}
	if got, want := shown(&c), "Edit a.go ✗ · File has not been read yet."; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The figures of a cut call come from the whole arguments.
func TestSlimKeepsFigures(t *testing.T) {
	text := strings.Repeat("line\\n", 5000)
	full := `{"file_path":"a.go","content":"` + text + `"}`
	slim := Slim(full, 100)
	if len(slim) > 300 {
		t.Fatalf("%d bytes are left", len(slim))
	}
	c := Call{Name: "Write", Args: slim, Full: full}
	if got, want := shown(&c), "Write a.go 5000 lines"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for in, want := range map[string]string{
		`{"a":"` + strings.Repeat("ä", 300) + `"`: `{"a":"` + strings.Repeat("ä", 50) + `"}`, // not closed
		strings.Repeat("x", 300):                  strings.Repeat("x", 100),
		`{"short":1}`:                             `{"short":1}`,
	} {
		if got := Slim(in, 100); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Only the beginning of a large result is read: it has a size, but no number of lines.
func TestPart(t *testing.T) {
	c := Call{Name: "Read", Args: `{"file_path":"a.go"}`}
	o := Part("     1→a\n     2→b\n", 67_400_000, c.Kind())
	c.Result = &o
	if got, want := shown(&c), "Read a.go 67.4 MB"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
