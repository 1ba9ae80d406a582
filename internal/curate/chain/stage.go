package chain

import (
	"fmt"
	"maps"
)

// Arg returns the value of a parameter, or its default.
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

// ArgText is like [Stage.Arg] but returns the value in chain language, or "" if there is
// neither a value nor a default.
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

// Set returns a parameter in normal form and reports whether it differs from its default.
func (c Stage) Set(name string) (text string, set bool) {
	p := c.Spec.param(name)
	v, ok := c.Args[name]
	if p == nil || !ok {
		return "", false
	}
	text = v.format(*p)
	return text, text != p.normalDefault()
}

// With returns a copy of the stage with a parameter set to v. It returns an error if the
// parameter does not accept v.
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
