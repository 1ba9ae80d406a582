// Package spectest holds the worked examples of the five specifications as tests: one file per
// specification, each test with the text and the numbers of its section. Examples that the test
// of a package already holds are not repeated here.
//
// The package must never contain code that the program uses.
package spectest
