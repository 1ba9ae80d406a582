package main

import (
	"bytes"
	"fmt"
	"go/format"
	"slices"
	"strconv"
	"strings"
)

// source returns the table as Go, for package redact. All its values are constants,
// so that the linker lays them out and nothing is computed at start.
func (t *Table) source() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("// Rules with an allow-list are those of gitleaks; see NOTICE.\n\npackage redact\n\n")
	fmt.Fprintf(&b, "var genericAllows = %s\n\n", numbers(t.Generic))
	b.WriteString("var allowTable = [...]allowRow{\n")
	for _, a := range t.Allows {
		b.WriteString("{")
		field(&b, "target", quote(a.Target), a.Target != "")
		field(&b, "both", "true", a.Both)
		field(&b, "expr", quote(a.Expr), a.Expr != "")
		field(&b, "stops", list(a.Stops), len(a.Stops) > 0)
		b.WriteString("},\n")
	}
	b.WriteString("}\n\nvar ruleTable = [...]ruleRow{\n")
	for i := range t.Rules {
		t.Rules[i].write(&b)
	}
	b.WriteString("}\n")
	return format.Source(b.Bytes())
}

func (r *Rule) write(b *bytes.Buffer) {
	fmt.Fprintf(b, "{\nid: %q, expr: %s,\nwords: %s,\n", r.ID, quote(r.Expr), list(r.Words))
	field(b, "anchored", "true", r.Anchored)
	field(b, "boundary", "true", r.Boundary)
	field(b, "group", strconv.Itoa(r.Group), r.Group != 0)
	field(b, "entropy", strconv.FormatFloat(r.Entropy, 'g', -1, 64), r.Entropy != 0)
	field(b, "strict", "true", r.Strict)
	field(b, "check", quote(r.Check), r.Check != "")
	field(b, "allow", numbers(r.Allow), len(r.Allow) > 0)
	b.WriteString("\n},\n")
}

// field writes one field of a row if it is set.
func field(b *bytes.Buffer, name, value string, set bool) {
	if set {
		fmt.Fprintf(b, "%s: %s, ", name, value)
	}
}

func numbers(of []int) string {
	return "[]uint16{" + strings.ReplaceAll(strings.Trim(fmt.Sprint(of), "[]"), " ", ", ") + "}"
}

func list(words []string) string {
	const inLine = 12
	if len(words) <= inLine {
		return "[]string{" + quoted(words) + "}"
	}
	var b strings.Builder
	b.WriteString("[]string{\n")
	for line := range slices.Chunk(words, inLine) {
		b.WriteString(quoted(line) + ",\n")
	}
	return b.String() + "}"
}

func quoted(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quote(w)
	}
	return strings.Join(quoted, ", ")
}

// quote writes a string as Go. It splits long runs of the characters of keys: the
// allow-lists hold published keys, and scanners of repositories, this one's included,
// report a whole key as a leak.
func quote(s string) string {
	const most = 16
	var pieces []string
	run, from := 0, 0
	for i := range len(s) {
		if !inKey(s[i]) {
			run = 0
		} else if run++; run > most {
			pieces = append(pieces, literalOf(s[from:i]))
			run, from = 1, i
		}
	}
	return strings.Join(append(pieces, literalOf(s[from:])), " + ")
}

func inKey(c byte) bool { return isWord(c) || c == '-' }

// literalOf quotes a string with backquotes where that is easier to read.
func literalOf(s string) string {
	if strconv.CanBackquote(s) && strings.ContainsAny(s, `\"`) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}
