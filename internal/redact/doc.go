// Package redact finds secrets in a text and returns their byte spans. It does not depend
// on runs, messages or screens, and does no input or output.
//
// It keeps the secrets that it found in memory, to find them again where they are repeated.
// It must never log a secret or write one to a file.
//
// # Rules
//
// The rules come from the default rules of gitleaks v8.30.1 and from lens.toml, which
// adds what those miss. Only the data of gitleaks is used: its engine reports no byte
// offsets and obeys "gitleaks:allow" comments, which a recorded text must not control.
// After a change of lens.toml, regenerate table.go:
//
//	go run -C tools ./redact-table
//
// lens parses no rule at start. It compiles an expression when a text first contains one
// of its keywords. Code finds four forms that no expression describes well: assignments
// judged by the name of their key (assign.go), key blocks (keyblock.go), cookies and
// base64 runs.
//
// # Engine
//
// One pass over the text finds the keywords of the rules with an Aho-Corasick automaton,
// ignoring case. A rule whose matches all begin with a keyword is tried at the keyword.
// Any other rule searches a window around it. The cost is one pass plus bounded work per
// keyword found, so the running time is linear.
//
// A secret may be encoded: interrupted by terminal colour sequences or zero-width
// characters, escaped as in a JSON string, or wrapped in base64. Such a text is decoded (at
// most four layers) and scanned again. The spans are mapped back to the original bytes.
//
// # Repetitions
//
// A value that a rule found is searched for in every later text: as it is, escaped, in base64,
// in hexadecimal digits, and in pieces. Words, names of hosts, paths, dates, numbers, the
// identifiers of the run and values of less than eight bytes are masked only where a rule finds
// them. Known.Prove searches a finished output for the same set.
//
// # Traps
//
//   - Placeholders made by [Placeholder] are recognised and never part of a
//     span. They split the text: the text between two placeholders is judged alone.
//   - gitleaks allow-lists hide published example keys; rules of lens.toml do not.
//   - Personal names, places, and secret formats without a rule are not found.
package redact
