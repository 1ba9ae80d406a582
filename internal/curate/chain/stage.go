package chain

import (
	"fmt"
	"maps"
)

// Arg returns the value of a parameter: as given, else its default.
func (c Stage) Arg(name string) Value {
	if v, ok := c.Args[name]; ok {
		return v
	}
	if p := c.Spec.param(name); p != nil {
		v, _ := parseDefault(p)
		return v
	}
	return Value{}
}

// ArgText is Arg in chain language, "" where nothing is given and there is no
// default.
func (c Stage) ArgText(name string) string {
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
func (c Stage) Set(name string) (text string, set bool) {
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
func (c Stage) With(name string, v Value) (Stage, error) {
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
