// Package archtest tests the shape of the source tree: which package may import which,
// names of folders, sizes, comments. It has no code of its own and must never be imported.
//
// rules_test.go lists the rules. Each comes with trees that break it, so that a test
// shows that the rule can fail.
package archtest
