package curate

import (
	"strings"
	"testing"
	"unicode/utf8"

	"agentlens/internal/model"
)

func (j *judge) render(head, rest []nmsg, a *args, stage int, pins map[int]bool) []nmsg {
	head, rest = j.split(append(head[:len(head):len(head)], rest...), true)
	t, err := parseTemplate(a.word("template"))
	if err != nil {
		panic(err)
	}
	tokens, n := int32(utf8.RuneCountInString(t.render(nil))/4), 0
	for _, m := range rest {
		if pins[m.pos] {
			continue
		}
		now := turn{role: m.role.String()}
		if m.recorded() {
			now.tool = j.thread.At(m.message()).ToolName
		}
		tokens += max(1, itemGuess(t, now, m.runes))
		n++
	}
	out := head[:len(head):len(head)]
	if n > 0 {
		pos := rest[0].message()*wide + stage
		out = append(out, nmsg{pos: pos, role: model.User, tokens: Overhead + tokens})
	}
	for _, m := range rest {
		if pins[m.pos] {
			out = append(out, m)
		}
	}
	return out
}

func TestTemplate(t *testing.T) {
	history := []turn{{role: "user", content: "hi {{this.role}}"}, {role: "tool", content: "", tool: "look"}, {role: "assistant", content: "ok"}}
	for _, tc := range []struct{ in, want string }{
		{"{{#each history}}\n{{ this.role }}: {{ this.content }}\n{{/each}}\n", "\nuser: hi {{this.role}}\n\ntool: \n\nassistant: ok\n\n"},
		{"<h>{{#each history}}<{{role}}>{{{content}}}</{{role}}>{{/each}}</h>", "<h><user>hi {{this.role}}</user><tool></tool><assistant>ok</assistant></h>"},
		{"{{#each history}}{{#if this.content}}{{this.content}}{{else}}({{this.tool}}){{/if}} {{/each}}", "hi {{this.role}} (look) ok "},
		{"{{#each history}}{{#unless this.tool}}{{this.role}} {{else}}- {{/unless}}{{/each}}", "user - assistant "},
		{"{{#if history}}some{{else}}none{{/if}}{{! a note }}", "some"},
		{"{{#unless history}}none{{else}}{{#each history}}x{{/each}}{{/unless}}", "xxx"},
		{"plain", "plain"},
		{"", ""},
	} {
		parsed, err := parseTemplate(tc.in)
		if err != nil {
			t.Errorf("%q: %v", tc.in, err)
			continue
		}
		if got := parsed.render(history); got != tc.want {
			t.Errorf("%q: %q, want %q", tc.in, got, tc.want)
		}
	}
	if parsed, _ := parseTemplate("{{#each history}}x{{else}}nothing{{/each}}"); parsed.render(nil) != "nothing" {
		t.Errorf("of an empty history: %q", parsed.render(nil))
	}
	for in, want := range map[string]string{
		"{{#each history}}":        "byte 17: {{#each}} is not closed",
		"ab{{":                     "byte 2: {{ is not closed",
		"{{ }}":                    "nothing in the braces",
		"{{/each}}":                "byte 0: {{/each}} has no beginning",
		"{{else}}":                 "has no beginning",
		"{{this.role}}":            "inside {{#each history}} only",
		"{{#each turns}}{{/each}}": `no name "turns"`,
		"{{#each history}}{{this.rolle}}{{/each}}":             `no name "this.rolle"`,
		"{{#each history}}{{#each history}}{{/each}}{{/each}}": "not inside itself",
		"{{#each history}}{{/if}}":                             "{{/each}} was expected",
		"{{#if history}}a{{else}}b{{else}}c{{/if}}":            "{{/if}} was expected",
		"{{#with history}}{{/with}}":                           `no block "with"`,
		"{{ this.role | upper }}":                              "no name",
		"{{history}}":                                          "is a list",
		strings.Repeat("{{#if history}}", 20):                  "blocks in each other",
		strings.Repeat("x", maxTemplate+1):                     "longer than",
	} {
		if _, err := parseTemplate(in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: error %v, want one that says %q", in, err, want)
		}
	}
}

func FuzzTemplate(f *testing.F) {
	f.Add("{{#each history}}{{#if this.content}}{{this.content}}{{else}}-{{/if}}{{/each}}")
	f.Add("{{{history}}}{{! }}{{#unless history}}{{/unless}}")
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := parseTemplate(text)
		if err != nil {
			return
		}
		parsed.item(turn{role: "user"})
		if !strings.Contains(text, "{{") && parsed.render(nil) != text {
			t.Fatalf("%q without braces became %q", text, parsed.render(nil))
		}
	})
}

func TestRenderTemplate(t *testing.T) {
	run, thread, sizes := said(t, "s sys", "u one", "a two", "u three", "a four", "u five")
	in := Input{Run: run, Thread: thread, Sizes: sizes}
	for _, tc := range []struct {
		chain string
		call  int
		want  string
	}{
		{"render_template", 2, "0 system sys | + user --- Conversation History ---\nuser: one\nassistant: two\nuser: three\n\n-----------------------------\n"},
		{`render_template("{{#each history}}{{this.content}},{{/each}}")`, 1, "0 system sys | + user one,"},
		{`compact(3 msgs, keep=1, summary=ends) | render_template("{{#each history}}{{this.role}}={{this.content}};{{/each}}")`, 3, "0 system sys | + user user=user: one \n... (summarized) ... \nassistant: four;user=five;"},
		{`preserve(1) | render_template("{{#each history}}{{this.content}},{{/each}}")`, 3, "0 system sys | + user one,two,three,four, | 5 user five"},
		{`sliding_window(0) | render_template`, 3, "0 system sys"},
	} {
		v := views(t, in, tc.chain).View(tc.call)
		if got := kept(t, run, thread, v); got != tc.want {
			t.Errorf("%s at call %d: %q\nwant %q", tc.chain, tc.call, got, tc.want)
		}
	}
}
