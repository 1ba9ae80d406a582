package jsontext

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestWalk(t *testing.T) {
	doc := []byte(` {"a": "x\"y", "b": {"c": [1, -2.5e3, true, null, {"d": ""}]}, "n": 42, "t": true, "e": {}, "z": []} `)
	s := New(doc)
	var a string
	var n int64
	var kinds []string
	s.Object(func(key []byte) {
		switch string(key) {
		case "a":
			a = s.Text()
		case "n":
			n, _ = s.Int()
		case "b":
			s.Object(func([]byte) {
				s.Array(func() {
					v := s.Skip()
					kinds = append(kinds, string(doc[v.Start:v.End]))
				})
			})
		}
	})
	if !s.End() || a != `x"y` || n != 42 || strings.Join(kinds, " ") != `1 -2.5e3 true null {"d": ""}` {
		t.Errorf("a %q, n %d, elements %q, end %v, %v", a, n, kinds, s.End(), s.Err)
	}
}

func TestBroken(t *testing.T) {
	for _, doc := range []string{``, `{`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":"x`, `{"a":"x\"}`, `{a:1}`, `{"a":[1,2}`, `{"a":1} x`, `{"a":nul}`, `{"a" 1}`, `[`} {
		s := New([]byte(doc))
		s.Object(func([]byte) {})
		if s.End() {
			t.Errorf("%q passes as whole", doc)
		}
	}
}

// TestDeepNesting scans deep and long values. With a quadratic algorithm, the test would time out.
func TestDeepNesting(t *testing.T) {
	s := New([]byte(`{"a":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`))
	s.Object(func([]byte) {})
	if s.Err != ErrDepth {
		t.Errorf("100,000 arrays: %v, want %v", s.Err, ErrDepth)
	}
	quotes := New([]byte(`{"a":"` + strings.Repeat(`\\`, 2_000_000) + `"}`))
	quotes.Object(func([]byte) {})
	if !quotes.End() {
		t.Error("a string of backslashes does not end")
	}
}

// FuzzScan checks that the scanner reads every object that encoding/json accepts to its end, and finds the same
// members.
func FuzzScan(f *testing.F) {
	f.Add([]byte(`{"type":"user","message":{"content":[{"type":"text","text":"a\\\"b"}]}}`))
	f.Add([]byte(`{"a":1e5,"a":"twice","é":[[],{}]}`))
	f.Add([]byte("{\"a\":\"\\ud800\",\"b\":\"\xff\"}"))
	f.Fuzz(func(t *testing.T, doc []byte) {
		s := New(doc)
		found := map[string]Span{}
		s.Object(func(key []byte) {
			found[Unquote(append(append([]byte{'"'}, key...), '"'), Span{0, len(key) + 2})] = s.Skip()
		})
		ended := s.End() && bytes.HasPrefix(bytes.TrimLeft(doc, " \t\r\n"), []byte("{"))
		var want map[string]json.RawMessage
		if json.Unmarshal(doc, &want) != nil || want == nil {
			return
		}
		if !ended {
			t.Fatalf("%q is valid JSON and the scan says %v", doc, s.Err)
		}
		if len(found) != len(want) {
			t.Fatalf("%q: %d members, want %d", doc, len(found), len(want))
		}
		for k, v := range want {
			if got := found[k]; string(doc[got.Start:got.End]) != string(v) {
				t.Fatalf("%q: %q is %q, want %q", doc, k, doc[got.Start:got.End], v)
			}
		}
	})
}
