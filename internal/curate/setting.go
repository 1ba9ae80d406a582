package curate

// Param is the value of a parameter of the stage, its default where the chain
// gives none; the zero Value where there is neither.
func (c Call) Param(name string) Value { return args{call: c}.value(name) }

// Set is a parameter in normal form, and whether it is another than its default.
func (c Call) Set(name string) (text string, set bool) {
	p := c.Spec.param(name)
	v, ok := c.Args[name]
	if p == nil || !ok {
		return "", false
	}
	text = v.format(*p)
	return text, text != p.normalDefault()
}
