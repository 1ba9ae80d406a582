// Package tokens counts the tokens of text: exactly, where a model has a public
// tokenizer, else as an estimate that says so. Nothing is done when the program
// starts: a counter builds its tables at its first count. Counters are safe for
// use by several goroutines.
//
// The exact counters are written for this package: o200k and cl100k as OpenAI's
// tiktoken has them (official_test.go holds them to its counts). A text is
// checked to be UTF-8, split into pieces by hand-written patterns (split.go) over
// tables of Unicode (classes.go); short pieces seen of late are remembered
// (bpe.go); others are looked up in the vocabulary (vocab.go) or merged from
// bytes (merge.go). Claude and Gemini have no public tokenizer: the estimate is
// all that can be said offline.
//
// The package must not read files or the network, and must not take one
// encoding's count for a model that uses another one.
package tokens

import (
	"fmt"
	"strings"
)

// A Counter counts the tokens of a text.
type Counter interface {
	Count(text string) int
	Name() string // "o200k", "cl100k", "estimate"
	Exact() bool  // false: an estimate
}

// For picks the counter of a model: the model's own tokenizer where it is
// public, else the estimate. The name may have a provider's before it and a
// fine-tuning's after it: openai/gpt-4o, openai:gpt-4o, ft:gpt-4o:org::id.
func For(modelName string) Counter {
	for part := range strings.FieldsFuncSeq(strings.ToLower(modelName), func(r rune) bool { return r == '/' || r == ':' }) {
		for _, row := range families {
			rest, ok := strings.CutPrefix(part, row.prefix)
			if ok && (rest == "" || rest[0] == '-' || rest[0] == '.' || rest[0] == '@') {
				return row.counter
			}
		}
	}
	return Estimate{}
}

// families gives the encoding of OpenAI's model families after the model table
// of OpenAI's tiktoken, a longer prefix before a shorter one that it begins with.
var families = []struct {
	prefix  string
	counter *bpe
}{
	{"gpt-4o", &o200k},
	{"gpt-4.1", &o200k},
	{"gpt-4.5", &o200k},
	{"chatgpt-4o", &o200k},
	{"gpt-4", &cl100k},
	{"gpt-3.5", &cl100k},
	{"gpt-35", &cl100k}, // as Azure writes it
	{"gpt-5", &o200k},
	{"gpt-6", &o200k},
	{"gpt-oss", &o200k},
	{"o1", &o200k},
	{"o3", &o200k},
	{"o4", &o200k},
	{"codex", &o200k},
	{"text-embedding", &cl100k},
	{"davinci-002", &cl100k},
	{"babbage-002", &cl100k},
}

// Named returns a counter by its name, one of [Names].
func Named(name string) (Counter, error) {
	switch name {
	case o200k.name:
		return &o200k, nil
	case cl100k.name:
		return &cl100k, nil
	case Estimate{}.Name():
		return Estimate{}, nil
	}
	return nil, fmt.Errorf("no encoding %q: want %s", name, strings.Join(Names(), ", "))
}

// Names lists the counters that have a name.
func Names() []string { return []string{o200k.name, cl100k.name, Estimate{}.Name()} }
