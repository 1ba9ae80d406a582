package safe

import (
	"strings"
	"testing"
)

func TestContained(t *testing.T) {
	for text, want := range map[string]string{
		"a < b, 1 <2 and x<y>":                "a < b, 1 <2 and x&lt;y>",
		"<script>alert(1)</script>":           "&lt;script>alert(1)&lt;/script>",
		"<!-- a --> <?php </details>":         "&lt;!-- a --> &lt;?php &lt;/details>",
		"use `Vec<T>` and ``a ` <b>`` or <b>": "use `Vec<T>` and ``a ` <b>`` or &lt;b>",
		"```go\nx <y> z\n```\n<b>":            "```go\nx <y> z\n```\n&lt;b>",
		"```\n<b>":                            "```\n<b>\n```",
		"````\n```\n<b>\n":                    "````\n```\n<b>\n````",
		"~~~ a`b\n```\n<b>":                   "~~~ a`b\n```\n<b>\n~~~",
		"``` a`b\n<b>":                        "``` a`b\n&lt;b>",
		"- a\n  ```\n<script>\n  ```\n<b>":    "- a\n```\n<script>\n  ```\n&lt;b>", // at the margin: a block of the list would end with it
		"1.  ```\n    <b>\n<script>":          "1.  ```\n    &lt;b>\n&lt;script>",
		"> ```\n> <b>\n<script>":              "> ```\n> &lt;b>\n&lt;script>",
		"    ```\n<b>":                        "    ```\n&lt;b>",
		"`\n` <script> `":                     "`\n` &lt;script> `",
		"`\n\n` <i> `":                        "`\n\n` <i> `",
		"\\` <script> `":                      "\\` &lt;script> `",
		"| a ` <script> | b ` |":              "| a ` &lt;script> | b ` |",
		"```\na\n```\n```":                    "```\na\n```\n```\n```",
		"```\n``` \t\n<b>":                    "```\n``` \t\n&lt;b>",
		"```\n```\u00a0\n```\n<b>":            "```\n```\u00a0\n```\n&lt;b>", // the second line does not close the block
		"~~~\n~~~\u3000\n~~~\n<b>":            "~~~\n~~~\u3000\n~~~\n&lt;b>",
		"```\n```\u2003":                      "```\n```\u2003\n```",
		"`\n\u00a0\n` <b> `":                  "`\n\u00a0\n` &lt;b> `",                  // no blank line: the paragraph goes on
		"```a|b\n--|--\n<b>|c\n```\n<i>":      "```a&#124;b\n--|--\n<b>|c\n```\n&lt;i>", // a table where tables come first
		"nothing of it, not even ~ this":      "nothing of it, not even ~ this",
		"`` a <b>\n`` <script> ` c `":         "`` a &lt;b>\n`` &lt;script> ` c `",
	} {
		if got := (Safe{text}).MarkdownText().s; got != want {
			t.Errorf("%q\n got %q\nwant %q", text, got, want)
		}
	}
}

// FuzzContained checks that text is only escaped, moved to the margin or closed, and that a second pass changes
// nothing.
func FuzzContained(f *testing.F) {
	f.Add("```\n<b>`c`</b>\n~~~\n  ```\n` <a> `")
	f.Fuzz(func(t *testing.T, text string) {
		got := (Safe{text}).MarkdownText().s
		back := strings.ReplaceAll(got, "&lt;", "<")
		plain := func(s string) string { return strings.NewReplacer("&lt;", "<", "&#124;", "|", " ", "").Replace(s) }
		if !strings.HasPrefix(plain(back), plain(text)) {
			t.Fatalf("%q became %q", text, got)
		}
		if again := (Safe{got}).MarkdownText().s; again != got {
			t.Fatalf("%q became %q, then %q", text, got, again)
		}
	})
}
