package curate

import (
	"fmt"
	"maps"
)

// Arg is the value of a parameter of a call: as given, else its default.
func (c stageCall) Arg(name string) Value { return args{call: c}.value(name) }

// ArgText is Arg in chain language, "" where nothing is given and there is no
// default.
func (c stageCall) ArgText(name string) string {
	p := c.Spec.param(name)
	if p == nil {
		return ""
	}
	if v, ok := c.Args[name]; ok {
		return v.format(*p)
	}
	return p.normalDefault()
}

// Set is a parameter in normal form, and whether it is another than its default.
func (c stageCall) Set(name string) (text string, set bool) {
	p := c.Spec.param(name)
	v, ok := c.Args[name]
	if p == nil || !ok {
		return "", false
	}
	text = v.format(*p)
	return text, text != p.normalDefault()
}

// With returns the call with a parameter set to v; the error says why the
// parameter does not take it. c stays as it is.
func (c stageCall) With(name string, v Value) (stageCall, error) {
	p := c.Spec.param(name)
	if p == nil {
		return c, fmt.Errorf("%s has no parameter %q", c.Spec.Name, name)
	}
	v, err := p.accept(v)
	if err != nil {
		return c, err
	}
	c.Args = maps.Clone(c.Args)
	if c.Args == nil {
		c.Args = map[string]Value{}
	}
	c.Args[name] = v
	return c, nil
}
