// Package redact finds secrets in a text: text in, spans of bytes out. It knows
// nothing of runs, messages or screens, reads and writes nothing, and never
// keeps, logs or returns a secret itself.
//
// # Rules
//
// The rules come from the default rules of gitleaks v8.30.1 and from lens.toml, which
// adds what those miss. Only the data of gitleaks is used: its engine reports no byte
// offsets and obeys "gitleaks:allow" comments, which a recorded text must not control.
// After a change of lens.toml, make table.go again:
//
//	go run -C tools ./redact-table
//
// lens parses no rule at start, and compiles an expression when a text first contains
// one of its words. Four forms are found by code, because no expression describes them
// well: assignments judged by the name of their key (assign.go), key blocks
// (keyblock.go), cookies and base64 runs.
//
// # Engine
//
// One pass over the text finds the words the rules need (an Aho-Corasick
// automaton, any case). A rule whose every match begins with such a word is
// tried at the word; any other rule searches a window around it. The cost is
// one pass plus a bounded piece of work for each word found, so that no text is
// worse than linear.
//
// A secret may stand in the text in disguise: cut by terminal colour sequences
// or zero-width characters, escaped as in a JSON string, wrapped in base64. Such
// a text is scanned again with the disguise removed (at most four layers) and
// the spans are mapped back to the bytes of the original.
//
// # Traps
//
//   - Placeholders made by [Placeholder] are recognised and never part of a
//     span. They split the text: what stands between two of them is judged alone.
//   - gitleaks allow-lists hide published example keys; rules of lens.toml do not.
//   - Names, places and formats no rule describes are not found.
package redact
