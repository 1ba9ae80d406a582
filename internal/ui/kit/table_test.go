package kit

import "testing"

func TestAlignTables(t *testing.T) {
	for in, want := range map[string]string{
		"no table": "no table",
		"a\n\n| name | n |\n|---|:-:|\n| 日本 | 12345 |\n| x |\nb": "a\n\n| name | n     |\n| ---- | ----- |\n| 日本 | 12345 |\n| x    |       |\nb",
		"a | b\n--|--\n1 | 2\\|3":                                "| a   | b    |\n| --- | ---- |\n| 1   | 2\\|3 |",
		"```\n| a | b |\n|--|--|\n```":                           "```\n| a | b |\n|--|--|\n```",
	} {
		if got := AlignTables(in); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}
