package jsontext

import (
	"fmt"
	"testing"
)

func TestTable(t *testing.T) {
	var text, any, either, inner Span
	var plain, n int64
	var has, is bool
	var elements int
	table := NewTable(Fields{
		"text": &text, "any": Any{&any}, "plain": &plain, "bare": Int{N: &plain}, "n": Int{&n, &has}, "is": &is, "": &plain,
		"in":     Fields{"inner": &inner},
		"either": Either{Text: &either, Members: Fields{"inner": &inner}, Each: func(*Scanner) { elements++ }},
		"left":   func(*Scanner) {},
	})
	for doc, want := range map[string]string{
		`{"text":"a","any":[1],"plain":3,"n":4,"is":true,"other":{},"left":[]}`: `"a" [1]  3 4 true true 0 `,
		`{"text":1,"any":null,"plain":"x","n":"x","is":1,"":9}`:                 ` null  9 0 false false 0 `,
		`{"bare":8,"n":"x"}`:                 `   8 0 false false 0 `,
		`{"either":"b","in":{"inner":"c"}}`:  `  "b" 0 0 false false 0 "c"`,
		`{"either":{"inner":"d"},"in":[]}`:   `   0 0 false false 0 "d"`,
		`{"either":[1,"x",{}]}`:              `   0 0 false false 3 `,
		`{"either":5,"text":null}`:           `   0 0 false false 0 `,
		`{"either": 5, "text": "a"}`:         `"a"   0 0 false false 0 `,
		`{"either": [ 1 , {} ], "left": {}}`: `   0 0 false false 2 `,
	} {
		text, any, either, inner, plain, n, has, is, elements = Span{}, Span{}, Span{}, Span{}, 0, 0, false, false, 0
		s := New([]byte(doc))
		table.Read(s)
		at := func(span Span) string { return doc[span.Start:span.End] }
		got := fmt.Sprint(at(text), " ", at(any), " ", at(either), " ", plain, " ", n, " ", has, " ", is, " ", elements, " ", at(inner))
		if got != want || !s.End() {
			t.Errorf("%s: %s, want %s; %v", doc, got, want, s.Err)
		}
	}
}
