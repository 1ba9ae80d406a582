package redact

import (
	"fmt"
	"sync"
)

// A Level selects how much counts as a secret.
type Level uint8

const (
	// Off finds nothing.
	Off Level = iota
	// Default finds what its form or its context identifies as a secret.
	Default
	// Strict also judges values by the name of their key alone. It masks more harmless
	// text.
	Strict
)

// ParseLevel maps "off", "default" and "strict" to a [Level].
func ParseLevel(name string) (Level, error) {
	for l := Off; l <= Strict; l++ {
		if name == l.String() {
			return l, nil
		}
	}
	return Default, fmt.Errorf("redaction level %q: use off, default or strict", name)
}

func (l Level) String() string { return [...]string{"off", "default", "strict"}[min(l, Strict)] }

// Options select what a redactor finds.
type Options struct {
	Level Level
	Email bool // email addresses too; off by default because they are personal data
}

// A Redactor finds secrets. It is safe for concurrent use.
type Redactor struct{ opts Options }

// New returns a redactor. It is cheap: all redactors of the process share the rules, which
// the first text prepares.
func New(opts Options) (*Redactor, error) {
	if opts.Level > Strict {
		return nil, fmt.Errorf("redaction level %d: use off, default or strict", opts.Level)
	}
	return &Redactor{opts}, nil
}

// Level returns the redactor's level.
func (r *Redactor) Level() Level { return r.opts.Level }

// A Span is a range of bytes that contains a secret, and the id of the rule that found it.
type Span struct {
	Start, End int
	Rule       string
}

// Find returns the secrets of text in order. Spans are not empty and do not overlap.
func (r *Redactor) Find(text string) []Span { return r.FindValue("", text) }

// FindValue is [Redactor.Find] for a text that is the whole value of a key, such as a
// member of a JSON object. A key that names a credential makes the value a secret.
func (r *Redactor) FindValue(key, text string) []Span {
	if r.opts.Level == Off || text == "" {
		return nil
	}
	return sharedEngine().find(r.opts, key, text)
}

// sharedEngine returns the engine of the process.
var sharedEngine = sync.OnceValue(newEngine)
