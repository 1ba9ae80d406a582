package jsontext

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
)

// deep returns a value with n nested levels.
func deep(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }

// text decodes a string, or returns "".
func text(raw json.RawMessage) string { s, _ := Text(raw); return s }

func TestRead(t *testing.T) {
	for _, c := range []struct {
		data   string
		keys   string // of the object, in order
		list   int    // keys of the object, in order
		cut    string
		rest   string
		torn   bool
		offset int // of a syntax error, or -1
	}{
		{data: `{"b":1,"a":[2]} x`, keys: "b a", rest: "x", offset: -1},
		{data: "\xef\xbb\xbf" + ` [1, "a" ,{}]`, list: 3, offset: -1},
		{data: `{"a":1,"b":[1,{"c":`, keys: "a b", cut: `[1,{"c":`, torn: true, offset: -1},
		{data: `{"a":1,"b"`, keys: "a", torn: true, offset: -1},
		{data: `{"a":1,"b":tr`, keys: "a b", cut: "tr", torn: true, offset: -1},
		{data: `[{"a":1},{"b":"`, list: 1, cut: `{"b":"`, torn: true, offset: -1},
		{data: `[1,2`, list: 1, cut: "2", torn: true, offset: -1},
		{data: ``, torn: true, offset: -1},
		{data: `{"a":1,}`, keys: "a", offset: 7},
		{data: `{"a":01}`, keys: "a", offset: 6},
		{data: `[nope]`, cut: "nope]", offset: 2},
		{data: "[\"a\nb\"]", cut: "\"a\nb\"]", offset: 3},
		{data: `["\x"]`, cut: `"\x"]`, offset: 3},
		{data: `x`, offset: 0},
	} {
		v := Read([]byte(c.data))
		var syntax *SyntaxError
		offset := -1
		if errors.As(v.Err, &syntax) {
			offset = syntax.Offset
		}
		if strings.Join(v.Keys, " ") != c.keys || len(v.Array) != c.list || string(v.Cut) != c.cut || string(v.Rest) != c.rest ||
			errors.Is(v.Err, ErrTorn) != c.torn || offset != c.offset {
			t.Errorf("%q: keys %q, %d elements, cut %q, rest %q, error %v at %d", c.data, v.Keys, len(v.Array), v.Cut, v.Rest, v.Err, offset)
		}
	}
}

// TestTooDeep checks that only a value nested too deeply is replaced, and that the replacement text explains why.
func TestTooDeep(t *testing.T) {
	at := func(n int) string { return `{"a":` + deep(n) + `,"b":[{"c":"d"},[` + deep(n) + `,7]]}` }
	for n, want := range map[int]int{1: 0, KeptDepth - 3: 0, KeptDepth - 1: 1, KeptDepth: 2, 100_000: 2} {
		v := Read([]byte(at(n)))
		if v.Err != nil || v.Deep != want {
			t.Errorf("%d levels: %d values left out, want %d; error %v", n, v.Deep, want, v.Err)
			continue
		}
		list := Split(v.Object["b"]).Array
		if text(Split(list[0]).Object["c"]) != "d" || string(Split(list[1]).Array[1]) != "7" {
			t.Errorf("%d levels: the values next to it are lost", n)
		}
		if text := text(v.Object["a"]); strings.HasPrefix(text, TooDeep) != (n >= KeptDepth) {
			t.Errorf("%d levels: a is %.40q", n, text)
		}
		if text := text(Split(list[1]).Array[0]); want == 2 && !strings.HasPrefix(text, TooDeep) {
			t.Errorf("%d levels: b[1][0] is %.40q", n, text)
		}
	}
	alone := Split(Whole([]byte(`{"messages":[{"role":"user","content":` + deep(100_000) + `}]}`)).Object["messages"]).Array
	if len(alone) != 1 || text(Split(alone[0]).Object["role"]) != "user" || !strings.HasPrefix(text(Split(alone[0]).Object["content"]), TooDeep) {
		t.Errorf("the members around a value that is too deep: %.80q", alone)
	}
	if list := Whole([]byte(deep(100_000))).Array; len(list) != 1 || list[0][0] != '"' {
		t.Errorf("a list of lists has %d elements", len(list))
	}
	if v := Read([]byte(`{"a":1,"b":` + strings.Repeat("[", 100_000))); !errors.Is(v.Err, ErrTornDeep) || len(v.Object) != 1 {
		t.Errorf("torn: %v, %d members", v.Err, len(v.Object))
	}
}

// depth returns the nesting depth of the brackets in a value.
func depth(data []byte) (deepest int) {
	dec := json.NewDecoder(strings.NewReader(string(data)))
	for now := 0; ; {
		token, err := dec.Token()
		if err != nil {
			return deepest
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			now++
			deepest = max(deepest, now)
		case json.Delim('}'), json.Delim(']'):
			now--
		}
	}
}

// FuzzAgainstLibrary compares strict reading with encoding/json.
func FuzzAgainstLibrary(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,-0.5e+3,"x\u00e9\ud83d\ude00\ud800\\\"/"],"b":{"c":null,"c":true}}`, `[[],{},"",0,01,1.,-]`, "[\"\xff\t\"]", `{"a" : 1 , }`,
		`"\u12g4"`, `"a" `, `"\ud83d\u0041"`, " {} ", `[1]x`, `{"a":tru}`, deep(1001), "[\"\x1f\x7f\xc3\"]",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if data = Trim(data); len(data) > 1<<12 {
			return
		}
		text, ok := Text(data)
		var wantText string
		if wantOK := len(data) > 0 && data[0] == '"' && json.Unmarshal(data, &wantText) == nil; ok != wantOK || ok && text != wantText {
			t.Fatalf("text %.60q: %q %v, want %q %v", data, text, ok, wantText, wantOK)
		}
		var object map[string]json.RawMessage
		var list []json.RawMessage
		json.Unmarshal(data, &object)
		json.Unmarshal(data, &list)
		if json.Valid(data) && depth(data) > KeptDepth {
			return
		}
		equal := func(a, b json.RawMessage) bool { return string(a) == string(b) }
		if got := Whole(data).Object; !maps.EqualFunc(got, object, equal) || (got == nil) != (object == nil) {
			t.Fatalf("object %.60q: %.60q, want %.60q", data, got, object)
		}
		if got := Whole(data).Array; !slices.EqualFunc(got, list, equal) || (got == nil) != (list == nil) {
			t.Fatalf("list %.60q: %.60q, want %.60q", data, got, list)
		}
		whole := json.RawMessage(data) // splitting does not depend on the checks
		if got := Split(whole).Object; object != nil && !maps.EqualFunc(got, object, equal) {
			t.Fatalf("member %.60q: %.60q, want %.60q", data, got, object)
		}
		if got := Split(whole).Array; list != nil && !slices.EqualFunc(got, list, equal) {
			t.Fatalf("element %.60q: %.60q, want %.60q", data, got, list)
		}
	})
}
