package jsontext

import (
	"encoding/json"
	"reflect"
	"testing"
)

func TestReadable(t *testing.T) {
	for doc, want := range map[string][2]string{
		``:                                  {``, ``},
		`no JSON \u6f22`:                    {`no JSON \u6f22`, `no JSON \u6f22`},
		`{"q": "\u6f22\u5b57", "\u00e9":1}`: {`{"q": "漢字", "é":1}`, `{"q": "漢字", "é":1}`},
		`{"a":"\ud83d\ude00 \u003cb\u003e a\/b"}`: {`{"a":"😀 <b> a/b"}`, `{"a":"😀 <b> a/b"}`},
		`{"a":"say \"hi\"\n\t\\u6f22"}`:           {`{"a":"say \"hi\"\n\t\\u6f22"}`, "{\"a\":\"say \"hi\"\n\t\\u6f22\"}"},
		`["\u000a\u0022\u005c"]`:                  {`["\u000a\u0022\u005c"]`, "[\"\n\"\\\"]"},
		`["\ud83d \ude00 \ud83d\u0041"]`:          {`["\ud83d \ude00 \ud83dA"]`, `["\ud83d \ude00 \ud83dA"]`},
		`{"a":"\u6f22`:                            {`{"a":"\u6f22`, `{"a":"\u6f22`},
	} {
		if got := [2]string{Readable(doc), Spoken(doc)}; got != want {
			t.Errorf("%s\n got %q\nwant %q", doc, got, want)
		}
	}
}

// FuzzReadable checks that the result is the same document. It may contain unescaped control characters only if
// the gate marks them.
func FuzzReadable(f *testing.F) {
	f.Add(`{"q":"\u6f22\ud83d\ude00\ud83d\"\\\/\b","a":[1,"\u001b"]}`)
	f.Fuzz(func(t *testing.T, doc string) {
		got := Readable(doc)
		Spoken(doc)
		if !json.Valid([]byte(got)) {
			return
		}
		var was, is any
		if json.Unmarshal([]byte(doc), &was) == nil && (json.Unmarshal([]byte(got), &is) != nil || !reflect.DeepEqual(was, is)) {
			t.Fatalf("%q became %q", doc, got)
		}
		if again := Readable(got); again != got {
			t.Fatalf("%q became %q", got, again)
		}
	})
}
