package safe

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"agentlens/internal/jsontext"
	"agentlens/internal/redact"
)

// SafeJSON is a JSON value that may be stored and printed. Only this package
// makes it; the zero value is null. It keeps every character of the original but
// for secrets; what is not visible stands in it as \uXXXX.
type SafeJSON struct{ raw string }

// String returns the value as it is to be written.
func (s SafeJSON) String() string {
	if s.raw == "" {
		return "null"
	}
	return s.raw
}

// Line is the value, when it is a string, as text on one line.
func (s SafeJSON) Line() Safe {
	if plainString(s.raw) {
		return Safe{s.raw[1 : len(s.raw)-1]}
	}
	var text string
	if json.Unmarshal([]byte(s.String()), &text) != nil {
		return Safe{}
	}
	return Safe{visibleLine(text)}
}

// Kept returns a JSON string that this gate's process or an earlier one gave out
// and a cache kept. Its secrets were masked then; what else it may hold, should
// another program have written it, is escaped again.
func (g *Gate) Kept(raw string) SafeJSON {
	if plainString(raw) {
		return SafeJSON{raw}
	}
	var text string
	if json.Unmarshal([]byte(raw), &text) != nil {
		return SafeJSON{}
	}
	return SafeJSON{quote(text)}
}

// plainString reports whether raw is a JSON string of printable ASCII without
// escapes.
func plainString(raw string) bool {
	last := len(raw) - 1
	if last < 1 || raw[0] != '"' || raw[last] != '"' {
		return false
	}
	for i := 1; i < last; i++ {
		if c := raw[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// MarshalJSON implements [json.Marshaler].
func (s SafeJSON) MarshalJSON() ([]byte, error) { return []byte(s.String()), nil }

// JSON returns original, redacted, as a JSON string.
func (g *Gate) JSON(original string) SafeJSON {
	return SafeJSON{quote(g.redacted(original, g.redactor.Find(original)))}
}

// RawJSON returns a JSON document with every string in it redacted, keys too;
// all else stays byte for byte. A member of an object is judged with its key.
// What is not valid JSON becomes a JSON string.
func (g *Gate) RawJSON(doc []byte) SafeJSON {
	if !json.Valid(doc) {
		return g.JSON(string(doc))
	}
	return SafeJSON{g.rewrite(doc, false, 0)}
}

// Arguments returns the arguments of a tool call, redacted, as a JSON string.
// Where they are JSON themselves they stay so, and their members are judged
// with their keys.
func (g *Gate) Arguments(args string) SafeJSON {
	return SafeJSON{quote(g.value("", args, 0))}
}

func (g *Gate) rewrite(doc []byte, keep bool, depth int) string {
	w := rewriter{gate: g, src: doc, keep: keep, depth: depth}
	w.out.Grow(len(doc))
	w.rewrite()
	return w.out.String()
}

// maxNested is how deep JSON in strings of JSON is taken apart.
const maxNested = 4

// value redacts a text that may be the value of a key. A text that is a JSON
// document is taken apart, so that it stays one.
func (g *Gate) value(key, text string, depth int) string {
	if depth < maxNested && jsontext.IsDocument(text) {
		return g.rewrite([]byte(text), true, depth+1)
	}
	return g.redacted(text, g.redactor.FindValue(key, text))
}

func (g *Gate) redacted(text string, spans []redact.Span) string {
	if len(spans) == 0 {
		return text
	}
	var out outcome
	out.text = g.mask(text, spans, &out)
	g.settle(&out)
	g.count(out.hits)
	return out.text
}

// A rewriter copies a valid JSON document and redacts its strings.
type rewriter struct {
	gate  *Gate
	src   []byte
	keep  bool // strings without a secret stay as they are, whatever is in them
	depth int
	out   strings.Builder
	stack []level
}

// A level is an object or array that is open.
type level struct {
	object bool
	inKey  bool   // an object: the next string is a key
	key    string // an object: the key of the next value; an array: the key it stands under
	name   string // an object: what its member "name" or "key" says
	before string // an array: the string before
}

func (w *rewriter) rewrite() {
	from := 0 // what is not yet copied
	for i := 0; i < len(w.src); i++ {
		switch c := w.src[i]; c {
		case '{', '[':
			w.stack = append(w.stack, level{object: c == '{', inKey: c == '{', key: w.context()})
		case '}', ']':
			w.stack = w.stack[:len(w.stack)-1]
		case ',':
			if top := w.top(); top != nil {
				top.inKey = top.object
			}
		case '"':
			end := stringEnd(w.src, i)
			w.out.Write(w.src[from:i])
			w.text(w.src[i:end])
			from, i = end, end-1
		}
	}
	w.out.Write(w.src[from:])
}

func (w *rewriter) top() *level {
	if len(w.stack) == 0 {
		return nil
	}
	return &w.stack[len(w.stack)-1]
}

// context is the key that the next value is to be judged with: its own, that of
// the array around it, the name beside it ({"name": …, "value": …}), or the
// option before it (["--token", …]).
func (w *rewriter) context() string {
	top := w.top()
	switch {
	case top == nil:
		return ""
	case !top.object && strings.HasPrefix(top.before, "-"):
		return top.before
	case top.object && strings.EqualFold(top.key, "value") && top.name != "":
		return top.name
	}
	return top.key
}

// text copies one string, quotes and all.
func (w *rewriter) text(quoted []byte) {
	var s string
	if err := json.Unmarshal(quoted, &s); err != nil { // cannot be: the document is valid
		w.out.WriteString(`""`)
		return
	}
	top := w.top()
	key := ""
	if top == nil || !top.inKey {
		key = w.context()
	}
	if safe := w.gate.value(key, s, w.depth); safe != s || !w.keep && !plainJSON(quoted) {
		w.out.WriteString(quote(safe))
	} else {
		w.out.Write(quoted)
	}
	switch {
	case top == nil:
	case !top.object:
		top.before = s
	case top.inKey:
		top.key, top.inKey = s, false
	case strings.EqualFold(top.key, "name") || strings.EqualFold(top.key, "key"):
		top.name = s
	}
}

// stringEnd is the offset behind the string that begins at i.
func stringEnd(src []byte, i int) int {
	for i++; src[i] != '"'; i++ {
		if src[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// plainJSON reports whether a quoted string may stay as it was written.
func plainJSON(quoted []byte) bool {
	for i := 0; i < len(quoted); {
		if quoted[i] < 0x7f {
			i++
			continue
		}
		r, size := utf8.DecodeRune(quoted[i:])
		if r == 0x7f || unseen(r) || r == utf8.RuneError && size == 1 {
			return false
		}
		i += size
	}
	return true
}

var shortEscapes = map[rune]string{'"': `\"`, '\\': `\\`, '\n': `\n`, '\r': `\r`, '\t': `\t`}

// quote writes a JSON string in which what is not visible is escaped.
func quote(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 2)
	b.WriteByte('"')
	for _, r := range s { // broken UTF-8 comes as U+FFFD
		short, ok := shortEscapes[r]
		switch {
		case ok:
			b.WriteString(short)
		case r > 0xffff && unseen(r):
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		case r < ' ' || r == 0x7f || unseen(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
