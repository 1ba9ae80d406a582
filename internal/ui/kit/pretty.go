package kit

import (
	"encoding/json"
	"strings"

	"agentlens/internal/jsontext"
)

// Bounds of JSON that is laid out anew: indents take room of their own, and of text
// that is nested deeply far more than the text itself.
const (
	maxPretty   = 1 << 20 // bytes of the longest text that is laid out
	prettyDepth = 64      // what is nested deeper stays on the line it begins in
	prettyGrows = 8       // times the text a layout may take; the rest stays on one line
)

// Pretty lays JSON out in lines, characters standing as themselves; other text stays as
// it is. rest says what of it was left on one line, "" for nothing.
func Pretty(s string) (laid string, rest Words) {
	t := strings.TrimSpace(s)
	if len(t) < 2 || len(t) > maxPretty || t[0] != '{' && t[0] != '[' || t == "{}" || t == "[]" || !json.Valid([]byte(t)) {
		return s, ""
	}
	p := prettier{most: prettyGrows*len(t) + 1<<10}
	p.b.Grow(2 * len(t))
	p.Lay(t)
	return jsontext.Readable(p.b.String()), p.rest
}

// A prettier lays a valid text of JSON out.
type prettier struct {
	b     strings.Builder
	depth int
	begun bool // a bracket was written, and nothing after it
	most  int  // bytes
	rest  Words
}

func (p *prettier) Lay(t string) {
	for i := 0; i < len(t); {
		n := 1
		switch c := t[i]; c {
		case ' ', '\t', '\r', '\n':
		case '}', ']':
			if !p.begun {
				p.Line(p.depth - 1)
			}
			p.begun = false
			p.depth--
			p.b.WriteByte(c)
		case ',':
			p.b.WriteByte(c)
			p.Line(p.depth)
		case ':':
			p.b.WriteString(": ")
		default:
			if p.begun {
				p.Line(p.depth)
			}
			if p.begun = c == '{' || c == '['; p.begun {
				p.depth++
			}
			if c == '"' {
				n = jsontext.StringEnd(t, i) - i
			}
			p.b.WriteString(t[i : i+n])
		}
		i += n
	}
}

// Line begins a line that is indented by so many levels, where the innermost object or
// array may have lines.
func (p *prettier) Line(indent int) {
	switch {
	case p.depth > prettyDepth:
		p.rest = "from level " + Int(prettyDepth) + " on it stands on one line"
	case p.b.Len() > p.most:
		p.rest = "too long to lay out: its end stands on one line"
	default:
		p.b.WriteByte('\n')
		for range indent {
			p.b.WriteString("  ")
		}
	}
}
