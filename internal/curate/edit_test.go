package curate

import "testing"

func TestArgAndWith(t *testing.T) {
	chain, err := Parse("sliding_window(7)")
	if err != nil {
		t.Fatal(err)
	}
	c := chain[0]
	if c.ArgText("n") != "7" || c.ArgText("align") != "drop" || c.ArgText("no") != "" || c.Arg("n").Number != 7 {
		t.Errorf("n is %q, align is %q", c.ArgText("n"), c.ArgText("align"))
	}
	d, err := c.With("n", Value{Kind: KindAmount, Number: 9})
	if err != nil || d.String() != "sliding_window(9)" || c.String() != "sliding_window(7)" {
		t.Errorf("%v, %v from %v", d, err, c)
	}
	for _, v := range []Value{{Kind: KindBool}, {Kind: KindAmount, Number: 1.5}, {Kind: KindAmount, Number: 3, Unit: Percent}} {
		if _, err := c.With("n", v); err == nil {
			t.Errorf("n takes %+v", v)
		}
	}
	if _, err := c.With("no", Value{}); err == nil {
		t.Error("a parameter that is none is set")
	}
}
