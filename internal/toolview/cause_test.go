package toolview

import "testing"

// The causes of failures as programs print them. The exit code makes each of them a failure.
func TestCauses(t *testing.T) {
	for name, c := range map[string][2]string{ // output, cause
		"go test":           {"?   \tshop/cmd\t[no test files]\n--- FAIL: TestRound (0.00s)\n    round_test.go:9: got 2, want 3\n--- FAIL: TestNet (0.00s)\nFAIL\nFAIL\tshop/money\t0.1s\nFAIL", "FAIL: TestRound round_test.go:9: got 2, want 3"},
		"go test, verbose":  {"=== RUN   TestRound\n    round_test.go:9: got 2, want 3\n--- FAIL: TestRound (0.00s)\nFAIL", "FAIL: TestRound"},
		"go test, cut":      {"checked 3 files\nFAIL\nFAIL\tshop/money\t0.1s\nok  \tshop/tax\t0.1s\nFAIL", "FAIL shop/money 0.1s"},
		"go build":          {"# shop/money\nmoney/round.go:16:20: undefined: strings\nmoney/round.go:18:1: missing return", "money/round.go:16:20: undefined: strings"},
		"go build, details": {"# shop/invoice\ninvoice/total.go:67:48: too many arguments in call to money.Round\n\thave (float64, number)\n\twant (float64)", "invoice/total.go:67:48: too many arguments in call to money.Round"},
		"go test, setup":    {"# ./shop\nstat /home/dev/shop/shop: directory not found\nFAIL\t./shop [setup failed]\nFAIL", "stat /home/dev/shop/shop: directory not found"},
		"go vet":            {"# shop\nvet: ./a.go:3:1: undeclared name: x", "vet: ./a.go:3:1: undeclared name: x"},
		"go panic":          {"started\npanic: runtime error: index out of range [3] with length 2\n\ngoroutine 1 [running]:\nmain.main()\n\t/home/dev/shop/main.go:8 +0x1d\nexit status 2", "panic: runtime error: index out of range [3] with length 2"},
		"linter behind tests": {
			"[test] $ go test ./...\nok  \tshop\t1.2s\n[lint] $ golangci-lint run\n[lint] ERROR task failed\n\nmoney/round.go:81:15: string `a` has 3 occurrences, make it a constant (goconst)\n\tname := \"a\"\n\t        ^\n1 issues:\n* goconst: 1",
			"money/round.go:81:15: string `a` has 3 occurrences, make it a constant (goconst)",
		},
		"pytest":           {"============ FAILURES ============\n    def test_round():\n>       assert round(2.5) == 3\nE       assert 2 == 3\n\ntests/test_money.py:4: AssertionError\n=========== short test summary info ===========\nFAILED tests/test_money.py::test_round - assert 2 == 3\n===== 1 failed, 3 passed in 0.12s =====", "FAILED tests/test_money.py::test_round - assert 2 == 3"},
		"pytest, no list":  {"    def test_round():\n>       assert round(2.5) == 3\nE       assert 2 == 3\n1 failed, 3 passed in 0.12s", "E assert 2 == 3"},
		"unittest":         {"F.\n======\nFAIL: test_round (money.Test.test_round)\n------\nTraceback (most recent call last):\n  File \"money.py\", line 4, in test_round\nAssertionError: 2 != 3\n\nRan 2 tests in 0.001s\n\nFAILED (failures=1)", "FAIL: test_round (money.Test.test_round)"},
		"python":           {"loading\nTraceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    load()\n  File \"a.py\", line 2, in load\n    open('x')\nFileNotFoundError: [Errno 2] No such file or directory: 'x'", "FileNotFoundError: [Errno 2] No such file or directory: 'x'"},
		"python, coloured": {"Traceback (most recent call last):\n  File \"a.py\", line 3\n\x1b[0m\n\x1b[31mValueError: no\x1b[0m", "ValueError: no"},
		"python, chained":  {"Traceback (most recent call last):\n  File \"a.py\", line 3\nKeyError: 'a'\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File \"a.py\", line 5\nValueError: no such key: a\nmake: *** [Makefile:2: run] Error 1", "ValueError: no such key: a"},
		"rustc":            {"   Compiling shop v0.1.0\nwarning: unused variable: `y`\nerror[E0308]: mismatched types\n --> src/main.rs:2:18\nerror: aborting due to 1 previous error\nerror: could not compile `shop` (bin \"shop\") due to 1 previous error", "error[E0308]: mismatched types"},
		"cargo test":       {"test money::rounds ... FAILED\n\nfailures:\n\n---- money::rounds stdout ----\nthread 'money::rounds' panicked at src/money.rs:9:5:\nassertion `left == right` failed\n  left: 2\n right: 3\n\ntest result: FAILED. 0 passed; 1 failed\nerror: test failed, to rerun pass `--lib`", "thread 'money::rounds' panicked at src/money.rs:9:5: assertion `left == right` failed"},
		"gcc":              {"a.c: In function 'main':\na.c:3:5: warning: unused variable 'y'\na.c:4:12: error: 'x' undeclared (first use in this function)\nmake: *** [Makefile:2: a.o] Error 1", "a.c:4:12: error: 'x' undeclared (first use in this function)"},
		"tsc":              {"src/a.ts(3,5): error TS2304: Cannot find name 'x'.\nFound 1 error.", "src/a.ts(3,5): error TS2304: Cannot find name 'x'."},
		"mypy":             {"a.py:3: error: Incompatible return value type\nFound 1 error in 1 file", "a.py:3: error: Incompatible return value type"},
		"eslint":           {"/home/dev/shop/a.js\n  3:1  warning  Unexpected console statement  no-console\n  12:5  error  'x' is not defined  no-undef\n\n✖ 2 problems", "12:5 error 'x' is not defined no-undef"},
		"jest":             {"FAIL src/a.test.ts\n  ● money › rounds half away from zero\n\n    expect(received).toBe(expected)\n\nTests:       1 failed, 3 passed, 4 total", "● money › rounds half away from zero"},
		"node":             {"node:internal/modules/cjs/loader:1228\n  throw err;\n  ^\n\nError: Cannot find module 'express'\nRequire stack:\n- /home/dev/shop/a.js\n    at Module._load (node:internal:1)\n\nNode.js v22.0.0", "Error: Cannot find module 'express'"},
		"node, syntax":     {"/home/dev/shop/a.js:3\n  retrun x\n         ^\n\nSyntaxError: Unexpected identifier 'x'\n    at wrap (node:internal:1)\n\nNode.js v22.0.0", "SyntaxError: Unexpected identifier 'x'"},
		"npm":              {"npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve dependency tree\nnpm error\nnpm error A complete log of this run can be found in: /home/dev/.npm/_logs/a.log", "npm error ERESOLVE unable to resolve dependency tree"},
		"npm, script":      {"npm ERR! Missing script: \"biuld\"\nnpm ERR! \nnpm ERR! To see a list of scripts, run:", "npm ERR! Missing script: \"biuld\""},
		"git":              {"From example.com:shop\nfatal: 'main' is already used by worktree at '/home/dev/shop'\n\nNo local changes to save", "fatal: 'main' is already used by worktree at '/home/dev/shop'"},
		"git merge":        {"Auto-merging a.go\nCONFLICT (content): Merge conflict in a.go\nAuto-merging b.go\nCONFLICT (content): Merge conflict in b.go\nAutomatic merge failed; fix conflicts and then commit the result.", "CONFLICT (content): Merge conflict in a.go"},
		"git push":         {"To example.com:shop\n ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to 'example.com:shop'\nhint: Updates were rejected", "! [rejected] main -> main (fetch first)"},
		"shell":            {"building\nbash: line 1: gofumpt: command not found", "bash: line 1: gofumpt: command not found"},
		"shell, file":      {"cat: a.txt: No such file or directory\n3 lines", "cat: a.txt: No such file or directory"},
		"curl":             {"  % Total    % Received\n\ncurl: (7) Failed to connect to 192.0.2.1 port 8080: Connection refused", "curl: (7) Failed to connect to 192.0.2.1 port 8080: Connection refused"},
		"http":             {"HTTP/1.1 503 Service Unavailable\r\nServer: nginx\r\nContent-Length: 4\r\n\r\nbusy", "HTTP/1.1 503 Service Unavailable"},
		"gh":               {"gh: Not Found (HTTP 404)\n\n{\n  \"message\": \"Not Found\",\n  \"status\": \"404\"\n}", "gh: Not Found (HTTP 404)"},
		"json":             {`{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long"},"request_id":"r1"}`, "prompt is too long"},
		"json, list":       {`{"data":null,"errors":[{"message":"Field 'x' is unknown","path":["x"]}]}`, "Field 'x' is unknown"},
		"json, line":       {"posting\n{\"ok\":false,\"error\":\"invalid_auth\"}", "invalid_auth"},
		"json, no error":   {`{"file":"src/auth.py","status":"failed"}`, `{"file":"src/auth.py","status":"failed"}`},
		"docker":           {"#5 [2/3] RUN make\n#5 0.3 sh: make: not found\nERROR: failed to solve: process \"/bin/sh -c make\" did not complete successfully: exit code: 127", "ERROR: failed to solve: process \"/bin/sh -c make\" did not complete successfully: exit code: 127"},
		"java":             {"Exception in thread \"main\" java.lang.NullPointerException: a is null\n\tat shop.Main.main(Main.java:3)", "Exception in thread \"main\" java.lang.NullPointerException: a is null"},
		"a summary":        {"INV-1967  REFUSED\nINV-1968  ok\n370 invoices: 61 refused\nexit status 1", "370 invoices: 61 refused"},
		"colours":          {"ok\n\x1b[1;31m--- FAIL: TestRound (0.01s)\x1b[0m\nFAIL", "FAIL: TestRound"},
		"only brackets":    {"{\n\"a\": 1\n}\n", `"a": 1`},
		"nothing":          {"FAIL", "FAIL"},
	} {
		o := Output{Text: c[0], Exit: 1, Coded: true}
		r := (&Call{Name: "Bash", Args: `{"command":"x"}`, Result: &o}).Row()
		if got := OneLine(o.Text[r.Says.Start:r.Says.End]); got != c[1] {
			t.Errorf("%s: cause %q, want %q", name, got, c[1])
		}
	}
}

// A tool that edits or reads reports the cause first; what follows are its arguments.
func TestCausesOfTools(t *testing.T) {
	for _, c := range [][4]string{ // tool, result, figure, cause
		{"Edit", "<tool_use_error>Found 2 matches of the string to replace, but replace_all is false.\nString: return fmt.Errorf(\"error: failed\")</tool_use_error>", "", "Found 2 matches of the string to replace, but replace_all is false."},
		{"Edit", "The user doesn't want to proceed with this tool use. STOP what you are doing.", "declined", ""},
		{"Edit", "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nour change?", "declined", "our change?"},
		{"Bash", "Permission for this tool use was denied. The user said:\n\nlook in the local folder", "declined", "look in the local folder"},
		{"Task", "[Request interrupted by user for tool use]", "interrupted", ""},
		{"Read", `{"error":"file is too large"}`, "", "file is too large"},
		{"get_weather", "Validation error: Missing required field: 'city'\nschema: {}", "", "Validation error: Missing required field: 'city'"},
		{"get_weather", `{"error":`, "", `{"error":`},
	} {
		o := Open(c[1], (&Call{Name: c[0]}).Kind())
		r := (&Call{Name: c[0], Args: `{}`, Failed: true, Result: &o}).Row()
		if got := OneLine(o.Text[r.Says.Start:r.Says.End]); r.Figure != c[2] || got != c[3] {
			t.Errorf("%s %.40q: %q, %q, want %q, %q", c[0], c[1], r.Figure, got, c[2], c[3])
		}
	}
}
