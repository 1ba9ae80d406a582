package curate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentlens/internal/model"
)

// A Chain is a list of strategies with their parameters, applied in order.
type Chain []stageCall

// A stageCall is one strategy of a chain with its parameters: name(arg, key=value).
type stageCall struct {
	Spec *Spec
	Args map[string]Value // by parameter name; a missing one has its default
	Pos  int              // byte offset in the text it was parsed from
	// Preset is the preset it comes from, "" when it was written out.
	Preset string
}

// A Spec is a strategy: a row of the table that parsing, help, completion and
// documentation read.
type Spec struct {
	Name    string
	Summary string // one sentence
	Whose   string // where it comes from
	Params  []Param
	// Stateful says that it acts at a trigger and stays until the next one.
	Stateful bool
	// First says that it must be the first stage, Last that it must be the last.
	First, Last bool
	build       func(a args) (Built, error)
}

// A Param is one parameter of a strategy. The first of a strategy may be given
// by position.
type Param struct {
	Name    string
	Kind    Kind
	Default string   // in chain language, "" for none
	Unit    Unit     // of an amount without a unit
	Units   []Unit   // other units allowed
	Words   []string // of a word: the words allowed
	Help    string
	// Forms are the words that take something in brackets.
	Forms []Form
	// Required says that there is no default and a chain must give it.
	Required bool
	// Program says that a word is a program to run.
	Program bool
	// Fraction says that an amount need not be a whole number.
	Fraction bool
}

// A Form is a word of a parameter that takes a value: word(name=value).
type Form struct {
	Word    string
	Name    string // may stand before the value
	Kind    Kind
	Default string // what the word alone means, "" when it needs a value
}

// Kind is what a parameter takes.
type Kind uint8

// The kinds of values.
const (
	KindAmount Kind = iota // a number, maybe with a unit
	KindWord               // a bare word or a string
	KindBool               // true or false
	KindList               // [a, b]
)

// Unit of an amount.
type Unit string

// The units of the chain language.
const (
	None    Unit = ""
	Turns   Unit = "turns"
	CallsU  Unit = "calls"
	Texts   Unit = "texts"
	Msgs    Unit = "msgs"
	Tok     Unit = "tok"
	Percent Unit = "%"
	Chars   Unit = "chars"
)

var units = map[string]Unit{"turns": Turns, "calls": CallsU, "texts": Texts, "msgs": Msgs, "tok": Tok, "%": Percent, "chars": Chars}

// A Value is one argument.
type Value struct {
	Kind   Kind
	Number float64
	Unit   Unit
	Word   string
	List   []string
	Bool   bool
	Inner  *Value // what stands in brackets after Word
	Name   string // of an inner value
}

// String is the chain in normal form: first parameter by position, others by
// key in table order, defaults left out, 100000 as 100k. Parsing it gives the
// same chain.
func (c Chain) String() string {
	parts := make([]string, len(c))
	for i := range c {
		parts[i] = c[i].String()
	}
	return strings.Join(parts, " | ")
}

func (c stageCall) String() string {
	var parts []string
	for i, p := range c.Spec.Params {
		v, ok := c.Args[p.Name]
		if !ok || v.format(p) == p.normalDefault() {
			continue
		}
		text := v.format(p)
		if i > 0 {
			text = p.Name + "=" + text
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return c.Spec.Name
	}
	return c.Spec.Name + "(" + strings.Join(parts, ", ") + ")"
}

// normalDefault is the default in normal form.
func (p *Param) normalDefault() string {
	if p.Default == "" {
		return ""
	}
	v, err := parseDefault(p)
	if err != nil {
		return p.Default
	}
	return v.format(*p)
}

func (v Value) format(p Param) string {
	switch v.Kind {
	case KindAmount:
		text := formatNumber(v.Number)
		switch v.Unit {
		case p.Unit, None:
			return text
		case Percent:
			return text + "%"
		}
		return text + " " + string(v.Unit)
	case KindBool:
		return strconv.FormatBool(v.Bool)
	case KindList:
		quoted := make([]string, len(v.List))
		for i, w := range v.List {
			quoted[i] = quoteWord(w)
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	}
	text := quoteWord(v.Word)
	if v.Inner != nil {
		name := v.Inner.Name
		if name != "" {
			name += "="
		}
		text += "(" + name + v.Inner.format(Param{Unit: Tok}) + ")"
	}
	return text
}

// formatNumber writes 100000 as 100k and 2000000 as 2M; numbers under ten
// thousand stay as they are.
func formatNumber(n float64) string {
	switch {
	case n >= 1e6 && n == float64(int64(n)) && int64(n)%1_000_000 == 0:
		return strconv.FormatInt(int64(n)/1_000_000, 10) + "M"
	case n >= 1e4 && n == float64(int64(n)) && int64(n)%1000 == 0:
		return strconv.FormatInt(int64(n)/1000, 10) + "k"
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

func quoteWord(s string) string {
	if s != "" && strings.IndexFunc(s, notWord) < 0 && !isDigit(s[0]) && s != "true" && s != "false" {
		return s
	}
	return strconv.Quote(s)
}

// args gives a builder its parameters, defaults filled in.
type args struct {
	call stageCall
	in   *Input
}

func (a args) value(name string) Value {
	if v, ok := a.call.Args[name]; ok {
		return v
	}
	for i := range a.call.Spec.Params {
		if p := &a.call.Spec.Params[i]; p.Name == name {
			v, _ := parseDefault(p)
			return v
		}
	}
	return Value{}
}

// limit is an amount with its unit.
func (a args) limit(name string) limit {
	v := a.value(name)
	return limit{v.Unit, int64(v.Number)}
}

func (a args) number(name string) int64  { return int64(a.value(name).Number) }
func (a args) word(name string) string   { return a.value(name).Word }
func (a args) boolean(name string) bool  { return a.value(name).Bool }
func (a args) list(name string) []string { return a.value(name).List }

// tokens is an amount in tokens; a percentage is of the model's window.
func (a args) tokens(name string) (int64, error) {
	v := a.value(name)
	if v.Unit != Percent {
		return int64(v.Number), nil
	}
	if a.in.Window == 0 {
		return 0, &BuildError{a.call, fmt.Sprintf("%s is a share of the context window, and %s; give it in tokens, or name the window: --window 200k, or %s in the config file", name, unknownWindow(a.in.Thread), windowSetting(a.in.Thread))}
	}
	return int64(v.Number / 100 * float64(a.in.Window)), nil
}

func unknownWindow(t *model.Thread) string {
	if t == nil || t.LastModel() == "" {
		return "the record names no model"
	}
	return "that of " + strconv.Quote(t.LastModel()) + " is not known"
}

// windowSetting is what sets the window of the thread's model.
func windowSetting(t *model.Thread) string {
	name := "*"
	if t != nil && t.LastModel() != "" {
		name = t.LastModel()
	}
	return fmt.Sprintf("windows.%q", name)
}

// A BuildError is a chain that parses but cannot be run on this input.
type BuildError struct {
	Call    stageCall
	Message string
}

func (e *BuildError) Error() string { return e.Call.String() + ": " + e.Message }

// countBy makes a stage count by the estimator its call names.
func (b *Built) countBy(a args) error {
	if a.call.Spec.param(tokensParam.Name) == nil || a.word(tokensParam.Name) == counted {
		return nil
	}
	sizes, err := a.in.sizesBy(a.word(tokensParam.Name))
	if err != nil {
		return &BuildError{a.call, err.Error()}
	}
	if sizes == a.in.Sizes {
		return nil
	}
	own := &recounted{Stage: b.Stage, sizes: sizes}
	b.Stage = own
	if about := b.problem; about != nil {
		b.problem = func(v *model.View) []model.Problem { return about(own.view(v)) }
	}
	return nil
}

// build makes the stages of a chain for an input.
func (c Chain) build(in Input) ([]Built, error) {
	var built []Built
	var pins *preserve
	for i := range c {
		b, err := c[i].Spec.build(args{c[i], &in})
		if err != nil {
			return nil, err
		}
		b.name = c[i].String()
		if x, ok := b.Stage.(*external); ok && in.Only > 0 && !slices.ContainsFunc(c[i+1:], func(later stageCall) bool { return later.Spec.Stateful }) {
			x.from = in.Only - 1
		}
		if p, ok := b.Stage.(*preserve); ok {
			pins = p
		} else if pins != nil {
			if r, ok := b.Stage.(*render); ok {
				r.spare(pins)
			}
			b.Stage = &pinned{Stage: b.Stage, pins: pins}
		}
		if err := b.countBy(args{c[i], &in}); err != nil {
			return nil, err
		}
		built = append(built, b)
	}
	return built, nil
}
