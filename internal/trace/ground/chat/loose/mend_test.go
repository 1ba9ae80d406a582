package loose

import (
	"encoding/json"
	"slices"
	"testing"
)

// TestMend closes what was cut off and leaves the rest as it is.
func TestMend(t *testing.T) {
	for _, c := range []struct{ data, want string }{
		{`{"a":1}`, `{"a":1}`},
		{` {"a":1} tail`, `{"a":1}`},
		{`{"a":[1,2,{"b":"x`, `{"a":[1,2,{}]}`},
		{`{"a":{"b":1},"c`, `{"a":{"b":1}}`},
		{`{"a":"\"}`, `{}`},
		{`[1]]`, `[1]`},
		{`[}`, `[}`},
		{`"a`, `"a`},
		{``, ``},
	} {
		if got := string(Mend([]byte(c.data))); got != c.want {
			t.Errorf("%s: %s, want %s", c.data, got, c.want)
		}
	}
}

// TestMendRecords says that of a record all is there or nothing, unless it holds
// records that are whole.
func TestMendRecords(t *testing.T) {
	for _, c := range []struct{ data, want string }{
		{`{"a":{"b":1,"c":{"d":2,"e`, `{"a":{"b":1,"c":{"d":2}}}`},
		{`[{"id":1},{"id":2,"x":3,"y`, `[{"id":1}]`},
		{`{"a":1,"spans":[{"id":1,"l":[1,2`, `{"a":1,"spans":[]}`},
		{`{"scopes":[{"scope":{},"spans":[{"id":1,"x":[1,2]},{"id":2,"x":[1`, `{"scopes":[{"scope":{},"spans":[{"id":1,"x":[1,2]}]}]}`},
		{`{"spans":[{"id":1,"spans":[{"id":2},{"id":3,"z":1,`, `{"spans":[{"id":1,"spans":[{"id":2}]}]}`},
		{`{"spans":[{"id":1,"spans":[{"id":2}],"z":1,"y":`, `{"spans":[{"id":1,"spans":[{"id":2}]}]}`},
		{`{"spans":[{"id":1,"o":{"spans":[{"id":2}`, `{"spans":[]}`},
		{`["a","b","c`, `["a","b"]`},
		{`1,2`, `1,2`},
	} {
		if got := string(MendRecords([]byte(c.data), "spans")); got != c.want {
			t.Errorf("%s: %s, want %s", c.data, got, c.want)
		}
	}
}

func FuzzMend(f *testing.F) {
	f.Add([]byte(`{"a":[{"spans":[{"b":"\"]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		whole := json.Valid(data)
		for _, mended := range [][]byte{Mend(data), MendRecords(data, "spans")} {
			if whole && len(mended) != len(Trim(data)) {
				t.Errorf("%.60q is whole and became %.60q", data, mended)
			}
		}
	})
}

func TestNames(t *testing.T) {
	o := Object{"b": json.RawMessage(`1`), "none": json.RawMessage(`null`), "a": json.RawMessage(`""`), "out": json.RawMessage(`2`)}
	if got := o.Names("out", "absent"); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("names %v", got)
	}
	if got := Object(nil).Names(); len(got) != 0 {
		t.Errorf("names of nothing: %v", got)
	}
}
