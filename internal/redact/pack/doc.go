// Package pack makes the table of rules that package redact works by: the default
// rules of gitleaks v8.30.1 (MIT licence, see ../NOTICE; of its config package only
// the data) and lens.toml beside this file for what they miss, both in the TOML of
// gitleaks. What can be told from an expression without a text (the literals its
// matches begin with, whether it stands at a word boundary) is told here, once, and
// written down as Go, so that a start reads, parses and compiles nothing.
//
// Only a test imports it: go test ./internal/redact -run Table -update writes
// table.go anew, and without the flag holds it to what is made here.
package pack
