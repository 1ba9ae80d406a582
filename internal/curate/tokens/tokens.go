// Package tokens counts the tokens of a text: exactly for models with a public tokenizer,
// otherwise as an estimate. A counter builds its tables at its first count, so that starting
// the program costs nothing. Counters are safe for concurrent use.
//
// The exact counters o200k and cl100k reproduce OpenAI's tiktoken; official_test.go compares their counts.
// Invalid UTF-8 is replaced, and hand-written patterns (split.go) over Unicode tables (classes.go) split the
// text into pieces. Recent short pieces are cached (bpe.go); others are looked up in the vocabulary (vocab.go)
// or merged from bytes (merge.go). Claude and Gemini have no public tokenizer, so offline only the estimate is
// available.
//
// The package must never read files or use the network, and must never report the count of one
// encoding for a model that uses another.
package tokens

import (
	"fmt"
	"strings"
)

// A Counter counts the tokens of a string.
type Counter interface {
	Count(text string) int
	Name() string // "o200k", "cl100k", "estimate"
	Exact() bool  // false for an estimate
}

// For returns the counter of a model: its own tokenizer if it is public, otherwise the
// estimate. The name may have a provider prefix and a fine-tuning suffix: openai/gpt-4o,
// openai:gpt-4o, ft:gpt-4o:org::id.
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

// families maps OpenAI's model families to encodings, following tiktoken's model table. A
// longer prefix precedes its own prefixes.
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
	{"gpt-35", &cl100k}, // Azure's form
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

// Named returns the counter with one of the [Names].
func Named(name string) (Counter, error) {
	switch name {
	case o200k.name:
		return &o200k, nil
	case cl100k.name:
		return &cl100k, nil
	case Estimate{}.Name():
		return Estimate{}, nil
	}
	return nil, fmt.Errorf("no encoding %q: use one of %s", name, strings.Join(Names(), ", "))
}

// Names returns the names of all counters.
func Names() []string { return []string{o200k.name, cl100k.name, Estimate{}.Name()} }
