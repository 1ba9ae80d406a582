package message

import "testing"

func TestPlainJSON(t *testing.T) {
	for doc, want := range map[string]string{
		`{"a":"x \u0026\u0026 y"}`:  `{"a":"x && y"}`,
		`"\u003cb\u003E"`:           `"<b>"`,
		`"\\u0026"`:                 `"\\u0026"`, // a backslash, then text
		`"\\\u0026"`:                `"\\&"`,
		`"\u0022\u005c\n"`:          `"\u0022\u005c\n"`,
		`"\u00`:                     `"\u00`,
		`"\`:                        `"\`,
		`"{\"c\":\"a \\u0026 b\"}"`: `"{\"c\":\"a \\u0026 b\"}"`, // an escape of the document inside
		``:                          ``,
	} {
		if got := plainJSON(doc); got != want {
			t.Errorf("%s is %s, want %s", doc, got, want)
		}
	}
}
