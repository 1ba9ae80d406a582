package jsontext

import (
	"encoding/json"
	"testing"
)

func FuzzEncodedLen(f *testing.F) {
	for _, doc := range []string{
		`{}`, `{"a":1}`, ` { "b" : [ 1 , "x \" y" ] , "a":"<a href=\"x\">&amp;</a>\u2028" } `, "{\"\u2028<\":\"\u2029 \u2028\",\"é\\u00e9\":null}", "{\"\xff\":\"\xff \"}",
		`{"a":1,"a":[{ "b": "\\" }]}`, "{\"\x7f\":\"\x7f\\\\\"}",
	} {
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		v := Whole(doc)
		if v.Object == nil {
			return
		}
		want, err := json.Marshal(v.Object)
		if err != nil {
			t.Fatal(err)
		}
		if n := EncodedLen(v.Object); n != len(want) {
			t.Errorf("%q takes %d bytes, want %d: %s", doc, n, len(want), want)
		}
	})
}
