package toolview

import (
	"strings"

	"agentlens/internal/jsontext"
)

// A sign recognizes the line of an output that names the cause of a failure, without the marks and blanks before
// it. The line begins with one of begins or contains one of has, if there are any, and is accepts it, if set.
type sign struct {
	begins, has []string
	is          func(line string) bool
	last        bool // the last line with the sign counts, otherwise the first
	// more accepts the line behind it as a part of the cause.
	more func(line string) bool
}

// signs are the signs of causes. Earlier ones say more than later ones: a test that failed, a place that a compiler
// or a linter rejects, an exception, a program that reports an error of its own, and last a mention of an error.
var signs = [...]sign{
	{begins: []string{"--- FAIL: "}, more: placed},                                                                            // go test
	{begins: []string{"FAILED "}, is: func(line string) bool { return strings.Contains(line, "::") }},                         // pytest
	{begins: []string{"thread '"}, is: func(line string) bool { return strings.Contains(line, "panicked at") }, more: spoken}, // Rust
	{begins: []string{"error["}}, // rustc
	{is: compiled},               // go, gcc, tsc, mypy, eslint, golangci-lint
	{begins: []string{"E   ", "Failure/Error: ", "Failed asserting ", "AssertionError"}}, // pytest, rspec, phpunit
	{begins: []string{"FAIL: ", "FAIL  ", "● ", "✕ ", "✗ ", "not ok "}},                  // unittest, vitest, jest, tap
	{begins: []string{traced}, last: true},                                               // Python
	{begins: []string{"panic: ", "fatal error: ", "Exception in thread ", "Uncaught ", "Unhandled "}},
	{begins: []string{"CONFLICT ", "fatal: ", "! [rejected]", "! [remote rejected]"}}, // git
	{begins: []string{"npm ERR! ", "npm error "}, is: said},
	{is: excepted},
	{begins: []string{"curl: (", "wget: ", "ssh: ", "Error response from daemon: ", "Error from server"}},
	{begins: []string{"error: ", "Error: ", "ERROR: ", "[ERROR] ", "Error ", "error TS", "Execution failed "}, is: said},
	{has: []string{"command not found", "o such file or directory", "ermission denied", "not recognized as", "syntax error"}},
	{is: rejected}, // by a server
	{begins: []string{"FAIL\t", "FAILED", "Failed ", "failed "}, is: said},
	{has: []string{": error", "cannot ", "could not ", "not found", "undefined", "Segmentation fault", "Killed", "imeout", "timed out", "ut of memory"}, is: said},
	{has: []string{"rror", "failed", "Failed", "FAIL"}, is: said},
}

// endings holds beginnings of lines that follow the cause of a failure and do not repeat it.
var endings = [...]string{
	"exit status ", "exit code ", "Error: Process completed with exit code", "error: could not compile", "error: Recipe ", "error: aborting due to", "error: test failed",
	"error Command failed", "ELIFECYCLE", "make: ***", "make[", "npm ERR! code", "npm error code", "npm ERR! errno", "npm error errno", "npm ERR! A complete log", "npm error A complete log", "npm ERR! Lifecycle",
	"npm error Lifecycle", "npm ERR! path", "npm error path", "npm ERR! command", "npm error command", "Command exited with", "Command failed with", "Use \"", "For more information",
	"note: ", "hint: ", "ok  \t", "PASS", "Found ", "failures:",
}

// ending reports whether a line only repeats that a program failed.
func ending(line string) bool {
	if line == "FAIL" || strings.HasSuffix(line, " ERROR task failed") || strings.HasPrefix(line, "FAIL\t") && strings.HasSuffix(line, " failed]") {
		return true
	}
	for _, s := range endings {
		if strings.HasPrefix(line, s) {
			return true
		}
	}
	return strings.Trim(line, "{}[]()<>=-_*^~ ") == ""
}

// cause returns the line of a result that names the cause of a failure, see [signs]. Without a sign, it is the last line of a
// command that is no ending, and the first line of other tools. Of a JSON object, it is the error.
func cause(text string, kind Kind) jsontext.Span {
	if at := jsonError(text, 0); !at.Absent() {
		return at
	}
	if kind != Command && kind != Other && kind != Agent {
		return first(text)
	}
	at := signed(text)
	if at.Absent() && kind == Command {
		at = lastSaid(text)
	}
	if at.Absent() {
		at = first(text)
	}
	if in := jsonError(text[at.Start:at.End], at.Start); !in.Absent() {
		return in
	}
	return at
}

// traced precedes a line that ends a traceback of Python.
const traced = "\x00"

// signed returns the line with the best sign, or the zero Span.
func signed(text string) (best jsontext.Span) {
	rank := len(signs)
	trace := false // a traceback has begun
	var more func(string) bool
	eachLine(text, func(at jsontext.Span) bool {
		whole := withoutEscapes(cut(text[at.Start:at.End], longestSigned))
		if whole == "" { // only colours
			return true
		}
		if more != nil && more(whole) {
			best.End = at.End
		}
		more = nil
		line := unmarked(whole)
		if strings.HasPrefix(line, "Traceback (most recent call last)") {
			trace = true
			return true
		}
		if trace && strings.IndexByte(" \t|", whole[0]) < 0 {
			trace, line = false, traced+line
		}
		for i := range signs[:min(rank+1, len(signs))] {
			s := &signs[i]
			if (i < rank || s.last) && s.match(line) {
				best, rank, more = at, i, s.more
				break
			}
		}
		return rank > 0 || more != nil
	})
	return best
}

// longestSigned is the part of a line that is searched for signs, in bytes.
const longestSigned = 400

// unmarked returns a line without the blanks and marks before its words.
func unmarked(line string) string { return strings.TrimLeft(line, " \t│|>×") }

func (s *sign) match(line string) bool {
	found := len(s.begins)+len(s.has) == 0
	for _, b := range s.begins {
		found = found || strings.HasPrefix(line, b)
	}
	for _, h := range s.has {
		found = found || strings.Contains(line, h)
	}
	return found && (s.is == nil || s.is(line))
}

// said reports whether a line is more than an ending.
func said(line string) bool { return !ending(line) }

// placed reports whether an indented line begins with a file and a line number, as the messages of Go tests do.
func placed(line string) bool {
	inner := strings.TrimLeft(line, " \t")
	return len(inner) < len(line) && position(inner) >= 1
}

// spoken reports whether a line has words.
func spoken(line string) bool { return strings.ContainsFunc(line, isWord) }

// compiled reports whether a line begins with a file, a line and a column, or says "error" behind a file and a line.
func compiled(line string) bool {
	switch n := position(strings.TrimPrefix(line, "vet: ")); {
	case n >= 2:
		return !strings.Contains(line, "warning") && !strings.Contains(line, ": note:")
	case n == 1:
		return strings.Contains(line, ": error")
	}
	if strings.Trim(strings.SplitN(line, "  ", 2)[0], "0123456789:") == "" && strings.Contains(line, "  error  ") { // eslint: "12:5  error  …"
		return true
	}
	name, rest, ok := strings.Cut(line, "(") // tsc: "a.ts(3,5): error TS2304: …"
	return ok && strings.Contains(name, ".") && !strings.Contains(name, " ") && strings.Contains(rest, "): error")
}

// position returns the number of numbers behind the name of a file at the beginning of a line: 2 for "a.go:3:9: …".
func position(line string) (n int) {
	name, rest, ok := strings.Cut(line, ":")
	if !ok || name == "" || strings.ContainsAny(name, " \t") || !strings.ContainsAny(name, "./") {
		return 0
	}
	for n < 2 {
		digits := strings.TrimLeft(rest, "0123456789")
		if len(digits) == len(rest) || !strings.HasPrefix(digits, ":") {
			break
		}
		rest = digits[1:]
		n++
	}
	return n
}

// excepted reports whether a line begins with the name of an exception: "TypeError: …".
func excepted(line string) bool {
	line = strings.TrimPrefix(line, "Caused by: ")
	name, _, ok := strings.Cut(line, ": ")
	return ok && len(name) > len("Error") && !strings.ContainsAny(name, " /(\"'`=") && (strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception"))
}

// rejected reports whether a line is an error of HTTP: "HTTP/1.1 404 Not Found".
func rejected(line string) bool {
	line = strings.TrimLeft(line, "< ")
	if rest, ok := strings.CutPrefix(line, "HTTP/"); ok {
		_, code, _ := strings.Cut(rest, " ")
		return len(code) >= 3 && (code[0] == '4' || code[0] == '5') && code[1] >= '0' && code[1] <= '9'
	}
	return strings.Contains(line, "(HTTP 4") || strings.Contains(line, "(HTTP 5") || strings.Contains(line, "HTTP Error ") || strings.Contains(line, "status code 4") || strings.Contains(line, "status code 5")
}

// lastSaid returns the last line that is no ending, or the zero Span.
func lastSaid(text string) (at jsontext.Span) {
	eachLine(text, func(line jsontext.Span) bool {
		if !ending(unmarked(withoutEscapes(cut(text[line.Start:line.End], longestSigned)))) {
			at = line
		}
		return true
	})
	return at
}

// errorMembers are the members of JSON objects that name an error, folded; the first one counts.
var errorMembers = [...]string{"error", "errormessage", "errors", "message", "detail", "reason", "stderr"}

// maxErrors bounds the objects around a message.
const maxErrors = 4

// jsonError returns the message in a JSON object that reports an error, or the zero Span. from is added to it.
func jsonError(text string, from int) jsontext.Span {
	for range maxErrors {
		inner := strings.TrimLeft(text, " \t\r\n")
		from += len(text) - len(inner)
		text = inner
		if strings.HasPrefix(text, "[") {
			text, from = text[1:], from+1
			continue
		}
		if !strings.HasPrefix(text, "{") {
			return jsontext.Span{}
		}
		a := args{members: membersOf(text)}
		found := ""
		for _, name := range errorMembers {
			if raw := a.raw(name); raw != "" && strings.ContainsRune(`"{[`, rune(raw[0])) && raw != `""` {
				found = raw
				break
			}
		}
		at := strings.Index(text, found)
		if found == "" || at < 0 {
			return jsontext.Span{}
		}
		from += at
		if found[0] == '"' {
			return jsontext.Span{Start: from + 1, End: from + len(found) - 1}
		}
		text = found
	}
	return jsontext.Span{}
}

// A denial is the beginning of a result that says that a person stopped the call.
type denial struct{ begins, word string }

// denials are the words with which agents report that a person stopped a call.
var denials = [...]denial{
	{"The user doesn't want to ", "declined"},
	{"Permission for this tool use was denied", "declined"},
	{"User rejected", "declined"},
	{"User declined", "declined"},
	{"[Request interrupted by user", "interrupted"},
}

// refusal reports whether a result says that a person stopped the call, with what the person said, if anything.
func refusal(text string) (word string, reason jsontext.Span, ok bool) {
	const speech = "the user said:\n"
	for _, d := range denials {
		if !strings.HasPrefix(text, d.begins) {
			continue
		}
		at := strings.Index(strings.ToLower(cut(text, near)), speech)
		if at < 0 {
			return d.word, jsontext.Span{}, true
		}
		at += len(speech)
		reason = first(text[at:])
		return d.word, jsontext.Span{Start: at + reason.Start, End: at + reason.End}, true
	}
	return "", jsontext.Span{}, false
}
