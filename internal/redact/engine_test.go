package redact

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestWordsAgainstIndex(t *testing.T) {
	list := []string{"key", "ey", "api_key", "password", "pass", "-", "yk"}
	w := newWords(list)
	for _, text := range []string{"", "k", "API_KEY=passWORDkeykey", "ykeykey-y", "pass\xff\x00pas", "Kelvin K"} {
		var got, want []string
		w.each(text, func(id uint16, end int) { got = append(got, fmt.Sprint(list[id], end)) })
		low := strings.ToLower(text)
		for _, word := range list {
			for i := range low {
				if strings.HasPrefix(low[i:], word) {
					want = append(want, fmt.Sprint(word, i+len(word)))
				}
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
		if w.in(text) != (len(want) > 0) {
			t.Errorf("%q: in = %v", text, w.in(text))
		}
	}
}

func TestPlain(t *testing.T) {
	tests := []struct{ text, plain string }{
		{"a\x1b[1;31mb\x1b[0mc", "abc"},
		{"a\x1b]8;;http://x\x07b\x1b]8;;\x1b\\c", "abc"},
		{"a\x1b(Bb\x1bcc", "abc"},
		{`\"a\\\/\n\u0041\uD83D\uDE00`, "\"a\\/\nA😀"},
		{`\x1b[1mb\033[0m`, "\x1b[1mb\x1b[0m"},
		{`\u12 \q`, ""},
		{"a\u200bb\ufeffc", "abc"},
		{"é\u00ad漢", "é漢"},
		{"a\x00b\x01c\x08d\x7fe\x0cf", "abcdef"},
		{"a\u0080b\u009b1;31mc\u009d0;d e\af\u009fg", "abcfg"},
		{"a\xffb\uFFFDc\xc3d", "abcd"},
		{"a\u202eb\U000e0041c\ufe01d\u2061e", "abcde"},
		{"a\ufe0eb\ufe0fc", "abc"},
		{`a\bb\fc\u0008d`, "a\bb\fc\bd"},
		{"a\tb\r\nc é漢", ""},
		{"no disguise é", ""},
		{"\x1b", ""},
		{"\x1b[", ""},
	}
	for _, tt := range tests {
		p, ok := plain(tt.text)
		if !ok && tt.plain == "" {
			continue
		}
		if tt.plain != "" && p.text != tt.plain {
			t.Errorf("%q: got %q, want %q", tt.text, p.text, tt.plain)
		}
		checkOffsets(t, tt.text, &p)
	}
}

// checkOffsets checks that ranges map to ranges in order, and that undisguised text maps to
// itself.
func checkOffsets(t *testing.T, text string, p *plainText) {
	t.Helper()
	last := 0
	for i := range len(p.text) {
		start, end := p.start(i), p.end(i+1)
		if start < 0 || start >= end || end > len(text) || start < last {
			t.Fatalf("%q: byte %d maps to %d-%d after %d", text, i, start, end, last)
		}
		if end-start == 1 && text[start] != p.text[i] {
			t.Fatalf("%q: byte %d maps to %q, is %q", text, i, text[start], p.text[i])
		}
		last = start
	}
}

func FuzzPlain(f *testing.F) {
	f.Add("a\x1b[1m\\u0041\u200b\\n\\\"")
	f.Fuzz(func(t *testing.T, text string) {
		if p, ok := plain(text); ok {
			checkOffsets(t, text, &p)
		}
	})
}

func TestKindOfKey(t *testing.T) {
	tests := map[string]keyKind{
		"password": passwordKey, "DB_PASSWORD": passwordKey, "dbPassword": passwordKey, "db.password": passwordKey,
		"PGPASSWORD": passwordKey, "userPwd": passwordKey, "client_secret": passwordKey, "password2": passwordKey,
		"password_value": passwordKey, "--password": passwordKey,
		"api_key": tokenKey, "apiKey": tokenKey, "APIKey": tokenKey, "X-Api-Key": tokenKey, "accessToken": tokenKey,
		"aws_secret_access_key": tokenKey, "AccountKey": tokenKey, "authtoken": tokenKey,
		"max_tokens": plainKey, "input_tokens": plainKey, "next_page_token": plainKey, "stop_token": plainKey,
		"primary_key": plainKey, "key": plainKey, "monkey": plainKey, "password_field": plainKey, "secret_name": plainKey,
		"token_count": plainKey, "compass": plainKey, "author": plainKey, "": plainKey, "key_id": plainKey,
	}
	for key, want := range tests {
		if got := kindOfKey(Default, key); got != want {
			t.Errorf("%q: got %d, want %d", key, got, want)
		}
	}
	if kindOfKey(Strict, "cursor_key") != tokenKey || kindOfKey(Strict, "primary_key") != plainKey {
		t.Error("strict: want any key but that of a table")
	}
}

func TestBase64Runs(t *testing.T) {
	for text, want := range map[string]string{
		"x: cGFzc3dvcmQ9aHVudGVyMnNlY3JldA== y":    "cGFzc3dvcmQ9aHVudGVyMnNlY3JldA==",
		"cGFzc3dvcmQ9aHVudGVyMnNlY3JldA":           "cGFzc3dvcmQ9aHVudGVyMnNlY3JldA",
		"9fceb02d0ae598e95dc970b74767f19372d61af8": "",
		"/usr/local/share/some/path/of/files":      "",
		"short cGFzc3dvcmQ=":                       "",
	} {
		got := ""
		eachEncoded(text, func(start, end int, _ string) { got += text[start:end] })
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
