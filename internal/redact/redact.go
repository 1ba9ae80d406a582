package redact

import (
	"fmt"
	"sync"
)

// Level is how much is taken for a secret.
type Level uint8

const (
	// Off finds nothing.
	Off Level = iota
	// Default finds what its form or its surroundings show to be a secret.
	Default
	// Strict also goes by the name of a key alone. It spoils more harmless text.
	Strict
)

// ParseLevel maps "off", "default" and "strict" to a [Level].
func ParseLevel(name string) (Level, error) {
	for l := Off; l <= Strict; l++ {
		if name == l.String() {
			return l, nil
		}
	}
	return Default, fmt.Errorf("redaction level %q: want off, default or strict", name)
}

func (l Level) String() string { return [...]string{"off", "default", "strict"}[min(l, Strict)] }

// Options choose what is found.
type Options struct {
	Level Level
	Email bool // mail addresses too (personal data is never found unasked)
}

// A Redactor finds secrets. It is safe for concurrent use.
type Redactor struct{ opts Options }

// New returns a redactor. It is cheap: the rules, shared by all redactors of
// the process, are made ready at the first text.
func New(opts Options) (*Redactor, error) {
	if opts.Level > Strict {
		return nil, fmt.Errorf("redaction level %d: want off, default or strict", opts.Level)
	}
	return &Redactor{opts}, nil
}

// Level is the level the redactor works at.
func (r *Redactor) Level() Level { return r.opts.Level }

// A Span is a range of bytes of a text that holds a secret, and the id of the
// rule that found it.
type Span struct {
	Start, End int
	Rule       string
}

// Find returns the secrets of text, in order, never empty, never overlapping.
func (r *Redactor) Find(text string) []Span { return r.FindValue("", text) }

// FindValue is Find for a text that is the whole value of a key, such as a
// member of a JSON object: a telling key makes the value a secret.
func (r *Redactor) FindValue(key, text string) []Span {
	if r.opts.Level == Off || text == "" {
		return nil
	}
	return sharedEngine().find(r.opts, key, text)
}

// sharedEngine makes the rules ready once per process.
var sharedEngine = sync.OnceValue(newEngine)
