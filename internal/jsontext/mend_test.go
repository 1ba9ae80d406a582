package jsontext

import (
	"encoding/json"
	"testing"
)

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

// TestMendRecords checks that a record is kept or dropped as a whole, unless it contains complete records.
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
