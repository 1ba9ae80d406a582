package curate

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxStages bounds the length of a chain.
const MaxStages = 16

// A SyntaxError is a fault in the text of a chain: what, where, and the nearest
// names that are valid there.
type SyntaxError struct {
	Text     string
	Pos, Len int // bytes
	Message  string
	Near     []string
}

func (e *SyntaxError) Error() string {
	msg := "strategy chain: " + e.Message
	if len(e.Near) > 0 {
		msg += "; did you mean " + strings.Join(e.Near, ", ") + "?"
	}
	return msg
}

// Detail shows the chain with a caret under the fault, and the message.
func (e *SyntaxError) Detail() string {
	line := strings.NewReplacer("\n", " ", "\r", " ", "\t", " ")
	pad := strings.Repeat(" ", utf8.RuneCountInString(e.Text[:e.Pos]))
	return "  " + line.Replace(e.Text) + "\n  " + pad + strings.Repeat("^", max(1, e.Len)) + "\n" + e.Error()
}

// Parse reads a chain. The error, when there is one, is a [*SyntaxError].
func Parse(text string) (Chain, error) { return ParseWith(text, nil) }

// ParseWith is Parse with presets of the user's own beside the built-in ones; an
// own one may stand for chains with others, and wins over a built-in one.
func ParseWith(text string, own []Preset) (Chain, error) {
	p := &parser{text: text, own: own}
	chain, err := p.chain()
	if err != nil {
		return nil, err
	}
	return chain, nil
}

type parser struct {
	text   string
	pos    int
	nested bool // inside the brackets of a word
	own    []Preset
}

func (p *parser) fail(pos, length int, near []string, format string, a ...any) error {
	pos = min(pos, len(p.text))
	return &SyntaxError{Text: p.text, Pos: pos, Len: max(1, min(length, len(p.text)-pos)), Near: near, Message: fmt.Sprintf(format, a...)}
}

func (p *parser) space() {
	for p.pos < len(p.text) && (p.text[p.pos] == ' ' || p.text[p.pos] == '\t' || p.text[p.pos] == '\n' || p.text[p.pos] == '\r') {
		p.pos++
	}
}

func (p *parser) peek() byte {
	p.space()
	if p.pos < len(p.text) {
		return p.text[p.pos]
	}
	return 0
}

func (p *parser) chain() (Chain, error) {
	var chain Chain
	for {
		start := p.pos
		stages, err := p.stage(len(chain))
		if err != nil {
			return nil, err
		}
		if chain = append(chain, stages...); len(chain) > MaxStages {
			return nil, p.fail(start, 1, nil, "more than %d stages", MaxStages)
		}
		last := chain[len(chain)-1]
		switch p.peek() {
		case 0:
			return chain, nil
		case '|':
			if last.Spec.Last {
				return nil, p.fail(p.pos, 1, nil, "%s works on what is sent and must be the last stage", last.Spec.Name)
			}
			p.pos++
		default:
			return nil, p.fail(p.pos, 1, nil, "expected | or the end here")
		}
	}
}

func (p *parser) stage(place int) (Chain, error) {
	p.space()
	start := p.pos
	if p.peek() == '@' {
		p.pos++
		return p.preset(start, place)
	}
	name := p.bare()
	if name == "" {
		return nil, p.fail(start, 1, nil, "a strategy was expected here")
	}
	spec := lookup(name)
	if spec == nil {
		return nil, p.fail(start, len(name), nearest(name, specNames()), "there is no strategy %q", name)
	}
	if spec.First && place > 0 {
		return nil, p.fail(start, len(name), nil, "%s holds for the whole chain and must be its first stage", name)
	}
	call := Call{Spec: spec, Args: map[string]Value{}, Pos: start}
	if p.peek() == '(' {
		p.pos++
		if err := p.args(&call); err != nil {
			return nil, err
		}
	}
	for _, param := range spec.Params {
		if _, ok := call.Args[param.Name]; param.Required && !ok {
			return nil, p.fail(start, p.pos-start, nil, "%s needs %s: %s", name, param.Name, param.Help)
		}
	}
	return Chain{call}, nil
}

func (p *parser) preset(start, place int) (Chain, error) {
	name := "@" + p.bare()
	presets := append(slices.Clone(p.own), Presets()...)
	at := slices.IndexFunc(presets, func(preset Preset) bool { return preset.Name == name })
	if at < 0 {
		var names []string
		for _, preset := range presets {
			names = append(names, preset.Name)
		}
		return nil, p.fail(start, len(name), nearest(name, names), "there is no preset %q", name)
	}
	// One that stands for itself ends here: it is not known within itself.
	others := slices.DeleteFunc(slices.Clone(p.own), func(preset Preset) bool { return preset.Name == name })
	chain, err := ParseWith(presets[at].Chain, others)
	if err != nil {
		return nil, p.fail(start, len(name), nil, "the preset %s does not parse: %v", name, err)
	}
	for i := range chain {
		chain[i].Preset = name
	}
	if place > 0 && chain[0].Spec.First {
		return nil, p.fail(start, len(name), nil, "%s begins with %s, which must be the first stage", name, chain[0].Spec.Name)
	}
	return chain, nil
}

func (p *parser) args(call *Call) error {
	open := p.pos - 1
	if p.peek() == ')' {
		p.pos++
		return nil
	}
	for i := 0; ; i++ {
		if err := p.arg(call, i); err != nil {
			return err
		}
		switch p.peek() {
		case ',':
			p.pos++
		case ')':
			p.pos++
			return nil
		case 0:
			return p.fail(open, 1, nil, "this bracket is not closed")
		default:
			return p.fail(p.pos, 1, nil, "expected , or ) here")
		}
	}
}

func (p *parser) arg(call *Call, place int) error {
	p.space()
	start := p.pos
	spec := call.Spec
	var param *Param
	if name := p.bare(); name != "" && p.peek() == '=' {
		p.pos++
		if param = spec.param(name); param == nil {
			return p.fail(start, len(name), nearest(name, spec.paramNames()), "%s has no parameter %q", spec.Name, name)
		}
	} else {
		p.pos = start
		switch {
		case len(spec.Params) == 0:
			return p.fail(start, 1, nil, "%s takes no parameters", spec.Name)
		case place > 0:
			return p.fail(start, 1, spec.paramNames(), "only the first parameter goes without its name")
		}
		param = &spec.Params[0]
	}
	if _, twice := call.Args[param.Name]; twice {
		return p.fail(start, p.pos-start, nil, "%s is given twice", param.Name)
	}
	p.space()
	at := p.pos
	v, err := p.value()
	if err == nil {
		v, err = param.accept(v)
	}
	var syntax *SyntaxError
	switch {
	case errors.As(err, &syntax):
		return err
	case err != nil:
		return p.fail(at, p.pos-at, nearestWord(v, param), "%s", err.Error())
	}
	call.Args[param.Name] = v
	return nil
}

func nearestWord(v Value, p *Param) []string {
	if p.Kind == KindWord && len(p.Words) > 0 {
		return nearest(v.Word, p.Words)
	}
	return nil
}

// value reads a number with its unit, a word, a string or a list.
func (p *parser) value() (Value, error) {
	switch c := p.peek(); {
	case c == '[':
		return p.list()
	case c == '"':
		s, err := p.quoted()
		return Value{Kind: KindWord, Word: s}, err
	case isDigit(c) || c == '-' || c == '.':
		return p.amount()
	case c == 0:
		return Value{}, p.fail(p.pos, 1, nil, "a value was expected here")
	}
	start := p.pos
	word := p.bare()
	switch word {
	case "":
		return Value{}, p.fail(start, 1, nil, "a value was expected here")
	case "true", "false":
		return Value{Kind: KindBool, Bool: word == "true", Word: word}, nil
	}
	v := Value{Kind: KindWord, Word: word}
	if p.pos < len(p.text) && p.text[p.pos] == '(' && !p.nested {
		inner, err := p.inner()
		v.Inner = inner
		return v, err
	}
	return v, nil
}

// inner reads what a word takes: (value) or (name=value), with no further
// brackets in it.
func (p *parser) inner() (*Value, error) {
	open := p.pos
	p.pos++
	p.space()
	start := p.pos
	name := p.bare()
	if name == "" || p.peek() != '=' {
		p.pos, name = start, ""
	} else {
		p.pos++
	}
	p.nested = true
	v, err := p.value()
	p.nested = false
	if err != nil {
		return nil, err
	}
	v.Name = name
	switch p.peek() {
	case ')':
		p.pos++
		return &v, nil
	case 0:
		return nil, p.fail(open, 1, nil, "this bracket is not closed")
	}
	return nil, p.fail(p.pos, 1, nil, "expected ) here")
}

func (p *parser) amount() (Value, error) {
	start := p.pos
	for p.pos < len(p.text) && (isDigit(p.text[p.pos]) || strings.IndexByte("-.", p.text[p.pos]) >= 0) {
		p.pos++
	}
	n, err := strconv.ParseFloat(p.text[start:p.pos], 64)
	if err != nil {
		return Value{}, p.fail(start, p.pos-start, nil, "%q is no number", p.text[start:p.pos])
	}
	if n < 0 || n > 1e15 {
		return Value{}, p.fail(start, p.pos-start, nil, "the number is out of range")
	}
	if p.pos < len(p.text) {
		switch p.text[p.pos] {
		case 'k', 'K':
			n, p.pos = n*1e3, p.pos+1
		case 'M':
			n, p.pos = n*1e6, p.pos+1
		}
	}
	v := Value{Kind: KindAmount, Number: n}
	if p.peek() == '%' {
		p.pos++
		v.Unit = Percent
		return v, nil
	}
	at := p.pos
	if word := p.bare(); word != "" {
		unit, ok := units[word]
		if !ok {
			unit, ok = units[word+"s"] // 1 turn
		}
		if !ok {
			return Value{}, p.fail(at, len(word), nearest(word, unitNames()), "there is no unit %q", word)
		}
		v.Unit = unit
	}
	return v, nil
}

func (p *parser) list() (Value, error) {
	open := p.pos
	p.pos++
	v := Value{Kind: KindList, List: []string{}}
	if p.peek() == ']' {
		p.pos++
		return v, nil
	}
	for {
		start := p.pos
		word, err := "", error(nil)
		if p.peek() == '"' {
			word, err = p.quoted()
		} else if word = p.bare(); word == "" {
			err = p.fail(start, 1, nil, "a name was expected here")
		}
		if err != nil {
			if p.peek() == 0 {
				err = p.fail(open, 1, nil, "this bracket is not closed")
			}
			return Value{}, err
		}
		v.List = append(v.List, word)
		switch p.peek() {
		case ',':
			p.pos++
			p.space()
		case ']':
			p.pos++
			return v, nil
		case 0:
			return Value{}, p.fail(open, 1, nil, "this bracket is not closed")
		default:
			return Value{}, p.fail(p.pos, 1, nil, "expected , or ] here")
		}
	}
}

// quoted reads a string in double quotes, with Go's escapes.
func (p *parser) quoted() (string, error) {
	start := p.pos
	for i := start + 1; i < len(p.text); i++ {
		switch p.text[i] {
		case '\\':
			i++
		case '"':
			p.pos = i + 1
			s, err := strconv.Unquote(p.text[start:p.pos])
			if err != nil {
				return "", p.fail(start, p.pos-start, nil, "this string has an escape that is none")
			}
			return s, nil
		}
	}
	return "", p.fail(start, 1, nil, "this string is not closed")
}

// bare reads letters, digits and _ - . * : /
func (p *parser) bare() string {
	rest := p.text[p.pos:]
	end := strings.IndexFunc(rest, notWord)
	if end < 0 {
		end = len(rest)
	}
	p.pos += end
	return rest[:end]
}

func notWord(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-.*:/", r)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
