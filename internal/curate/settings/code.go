package settings

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxDepth limits the nesting of values.
const maxDepth = 64

// A code parser reads plain values of JSON, Python and JavaScript: literals, lists, tuples,
// objects, and calls with such values as arguments.
type code struct {
	src   string
	pos   int
	depth int
	// strict rejects anything that is not a plain value. Otherwise an expression is kept
	// verbatim as a name.
	strict bool

	at, lines int // number of line ends before at
}

// line returns the line number of pos, counted from 1.
func (c *code) line() int {
	pos := min(c.pos, len(c.src))
	if pos >= c.at {
		c.lines += strings.Count(c.src[c.at:pos], "\n")
	} else {
		c.lines -= strings.Count(c.src[pos:c.at], "\n")
	}
	c.at = pos
	return 1 + c.lines
}

func (c *code) fail(format string, a ...any) error {
	return fmt.Errorf("line %d: %s", c.line(), fmt.Sprintf(format, a...))
}

// space skips white space and comments.
func (c *code) space() {
	for c.pos < len(c.src) {
		rest := c.src[c.pos:]
		switch {
		case strings.HasPrefix(rest, "#"), strings.HasPrefix(rest, "//"):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			c.pos += end
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest, "*/")
			if end < 0 {
				end = len(rest) - 2
			}
			c.pos += end + 2
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\n' || rest[0] == '\r':
			c.pos++
		default:
			return
		}
	}
}

func (c *code) peek() byte {
	c.space()
	if c.pos < len(c.src) {
		return c.src[c.pos]
	}
	return 0
}

// word reads a name that may contain dots.
func (c *code) word() string {
	start := c.pos
	for c.pos < len(c.src) {
		r, n := utf8.DecodeRuneInString(c.src[c.pos:])
		if r != '_' && r != '.' && r != '$' && !unicode.IsLetter(r) && !(unicode.IsDigit(r) && c.pos > start) {
			break
		}
		c.pos += n
	}
	return c.src[start:c.pos]
}

// value reads one value.
func (c *code) value() (value, error) {
	if c.depth++; c.depth > maxDepth {
		return value{}, c.fail("nested deeper than %d levels", maxDepth)
	}
	defer func() { c.depth-- }()
	b := c.peek()
	line := c.line()
	switch {
	case b == '"' || b == '\'' || b == '`':
		s, err := c.quoted()
		return value{kind: text, text: s, line: line}, err
	case b == '-' || b == '+' || b >= '0' && b <= '9' || b == '.':
		return c.number()
	case b == '[':
		v := value{kind: list, line: line}
		return v, c.inside(']', &v)
	case b == '(':
		v := value{kind: list, line: line}
		return v, c.inside(')', &v)
	case b == '{':
		v := value{kind: object, line: line}
		return v, c.inside('}', &v)
	}
	w := c.word()
	if w == "new" {
		c.space()
		w = c.word()
	}
	switch w {
	case "":
		return value{}, c.fail("a value was expected here")
	case "true", "True":
		return value{kind: boolean, yes: true, line: line}, nil
	case "false", "False":
		return value{kind: boolean, line: line}, nil
	case "null", "None", "undefined":
		return value{line: line}, nil
	}
	v := value{kind: name, text: w, line: line}
	if c.pos < len(c.src) && c.src[c.pos] == '(' {
		v.kind = call
		if err := c.inside(')', &v); err != nil {
			return v, err
		}
		v.spread()
	}
	return v, nil
}

// inside reads the contents of a pair of brackets into v.
func (c *code) inside(end byte, v *value) error {
	open := c.line()
	c.pos++
	for {
		switch c.peek() {
		case end:
			c.pos++
			return nil
		case 0:
			return fmt.Errorf("line %d: this bracket is not closed", open)
		case ',':
			c.pos++
			continue
		}
		start := c.pos
		before := *v
		err := c.entry(v)
		if b := c.peek(); err == nil && b != ',' && b != end {
			err = c.fail("expected , or %c", end)
		}
		if err != nil && c.strict {
			return err
		}
		if err != nil {
			*v, c.pos = before, start
			if err := c.expression(end, v); err != nil {
				return err
			}
		}
	}
}

// expression keeps the text up to the next comma or closing bracket verbatim.
func (c *code) expression(end byte, v *value) error {
	start, line := c.pos, c.line()
	deep := 0
	for c.peek() != 0 {
		switch b := c.src[c.pos]; b {
		case '"', '\'', '`':
			if _, err := c.quoted(); err != nil {
				return err
			}
			continue
		case '(', '[', '{':
			deep++
		case ')', ']', '}', ',':
			if deep == 0 && (b == ',' || b == end) {
				key, rest, ok := keyed(strings.TrimSpace(c.src[start:c.pos]))
				one := value{kind: name, text: rest, line: line}
				if ok && v.kind != list {
					v.fields = append(v.fields, field{snake(key), one})
				} else {
					v.items = append(v.items, one)
				}
				return nil
			}
			if b != ',' {
				deep--
			}
		}
		c.pos++
	}
	return fmt.Errorf("line %d: the bracket before it is not closed", line)
}

// keyed splits "key=rest" or "key: rest".
func keyed(s string) (key, rest string, ok bool) {
	i := strings.IndexAny(s, "=:")
	if i <= 0 || strings.ContainsFunc(s[:i], func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) || strings.HasPrefix(s[i:], "==") {
		return "", s, false
	}
	return s[:i], strings.TrimSpace(s[i+1:]), true
}

// entry reads one value, or a key and its value.
func (c *code) entry(v *value) error {
	start := c.pos
	one, err := c.value()
	if err != nil {
		return err
	}
	sign := byte(':')
	if v.kind == call {
		sign = '='
	}
	if v.kind != list && c.peek() == sign {
		if one.kind != text && one.kind != name {
			return c.fail("the key %s is no name", one)
		}
		c.pos++
		of, err := c.value()
		if err != nil {
			return err
		}
		v.fields = append(v.fields, field{snake(one.text), of})
		return nil
	}
	if v.kind == object {
		c.pos = start
		return c.fail("expected key: value here")
	}
	v.items = append(v.items, one)
	return nil
}

// spread turns the fields of an object that is the last argument into named arguments.
// JavaScript passes named arguments this way.
func (v *value) spread() {
	if n := len(v.items); n > 0 && v.items[n-1].kind == object && len(v.fields) == 0 {
		v.fields, v.items = v.items[n-1].fields, v.items[:n-1]
	}
}

// snake converts maxTokens to max_tokens.
func snake(s string) string {
	var b strings.Builder
	for i, r := range s {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func (c *code) number() (value, error) {
	start, line := c.pos, c.line()
	for c.pos < len(c.src) && strings.IndexByte("+-.0123456789_eE", c.src[c.pos]) >= 0 {
		c.pos++
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(c.src[start:c.pos], "_", ""), 64)
	if err != nil {
		return value{}, c.fail("%q is not a number", c.src[start:c.pos])
	}
	return value{kind: number, number: n, line: line}, nil
}

var escapes = map[byte]string{'n': "\n", 't': "\t", 'r': "\r", '\n': ""}

// quoted reads a string in single or triple quotes.
func (c *code) quoted() (string, error) {
	open := c.line()
	quote := c.src[c.pos : c.pos+1]
	if strings.HasPrefix(c.src[c.pos:], strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	var b strings.Builder
	for c.pos += len(quote); c.pos < len(c.src); {
		rest := c.src[c.pos:]
		switch {
		case strings.HasPrefix(rest, quote):
			c.pos += len(quote)
			return b.String(), nil
		case rest[0] == '\\' && len(rest) > 5 && rest[1] == 'u':
			n, err := strconv.ParseUint(rest[2:6], 16, 32)
			if err != nil {
				return "", c.fail("\\%s is no escape", rest[1:6])
			}
			b.WriteRune(rune(n))
			c.pos += 6
		case rest[0] == '\\' && len(rest) > 1:
			if s, ok := escapes[rest[1]]; ok {
				b.WriteString(s)
			} else {
				b.WriteByte(rest[1])
			}
			c.pos += 2
		case rest[0] == '\n' && len(quote) == 1 && quote != "`":
			return "", fmt.Errorf("line %d: this string is not closed", open)
		default:
			b.WriteByte(rest[0])
			c.pos++
		}
	}
	return "", fmt.Errorf("line %d: this string is not closed", open)
}

// find returns the values of a program whose name wanted accepts: calls of that name, or
// values assigned to it. It skips everything else. A value inside a wanted value is not
// returned separately.
func find(src string, wanted func(name string, isCall bool) bool) ([]value, error) {
	c := &code{src: src}
	var found []value
	for c.peek() != 0 {
		if b := c.src[c.pos]; b == '"' || b == '\'' || b == '`' {
			start := c.pos
			s, err := c.quoted()
			if err != nil {
				c.pos = start + 1 // an apostrophe in text outside the program
				continue
			}
			if c.peek() != ':' || !wanted(snake(s), false) {
				continue
			}
			v, err := c.assigned(snake(s))
			if err != nil {
				return nil, err
			}
			found = append(found, v)
			continue
		}
		start := c.pos
		w := c.word()
		if w == "" {
			_, n := utf8.DecodeRuneInString(c.src[c.pos:])
			c.pos += n
			continue
		}
		last := w[strings.LastIndexByte(w, '.')+1:]
		switch {
		case c.pos < len(src) && src[c.pos] == '(' && wanted(last, true):
			c.pos = start
			v, err := c.value()
			if err != nil {
				return nil, err
			}
			found = append(found, v)
		case wanted(snake(last), false) && (c.peek() == '=' || c.peek() == ':') && !strings.HasPrefix(src[c.pos:], "=="):
			v, err := c.assigned(snake(last))
			if err != nil {
				return nil, err
			}
			found = append(found, v)
		}
	}
	return found, nil
}

// assigned reads the value after = or : and returns it as a field with the given name.
func (c *code) assigned(key string) (value, error) {
	line := c.line()
	c.pos++
	v, err := c.value()
	return value{kind: object, fields: []field{{key, v}}, line: line}, err
}
