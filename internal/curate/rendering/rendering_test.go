package rendering

import (
	"fmt"
	"strings"
	"testing"

	"agentlens/internal/curate/curatetest"
	"agentlens/internal/model"
)

// loopBlock is the history_template of the loop block in section 6 of FSD-033, as YAML reads it.
const loopBlock = "{{#each history}}\n{{ this.role }}: {{ this.content }}\n{{/each}}\n"

const defaultTemplate = "--- Conversation History ---\n{{#each history}}{{this.role}}: {{this.content}}\n{{/each}}\n-----------------------------\n"

// clarification returns a thread with the turns of a clarification loop and one recorded call,
// which was sent a system prompt and a text with the first turn.
func clarification(with string) (*model.Run, *model.Thread) {
	g := curatetest.NewGenerator(1)
	g.Add(model.Message{Role: model.User}, "Ship it")
	g.Add(model.Message{Role: model.Assistant}, "When?")
	g.Add(model.Message{Role: model.User}, "")
	g.B.Thread().Template = model.Template{Kind: model.Handlebars, Source: with, Note: "as configured"}
	g.B.Call(model.Call{Given: 1, Basis: model.Recorded, Extra: &model.CallExtra{Rendered: []model.SentText{
		{Role: model.System, Body: g.Arena.Add("You plan."), Reason: "agent.system"},
		{Role: model.User, Body: g.Arena.Add("user: Ship it\n\n\nGo on."), To: 14, Sources: []model.Source{
			{End: 6, Fate: model.Added}, {Start: 6, End: 13, Index: model.Some(0)}, {Start: 13, End: 22, Fate: model.Added},
		}},
	}}})
	return g.Build()
}

// TestRenderHandlebars renders views with the specification's template and with flujo's own. Each
// range is written start-end:message, with ~ for a changed text.
func TestRenderHandlebars(t *testing.T) {
	changed := []model.Piece{{Insert: "Wh"}}
	for _, c := range []struct {
		name, template string
		call           int
		entries        []model.Entry
		want           string
	}{
		{
			"section 6, after the record", loopBlock, 2,
			[]model.Entry{{Role: model.User}, {Index: 1, Role: model.Assistant}},
			"user \"\\nuser: Ship it\\n\\nassistant: When?\\n\\n\" 0-7:- 7-14:0 14-27:- 27-32:1 32-34:-",
		},
		{
			"default, recorded call", defaultTemplate, 1,
			[]model.Entry{{Role: model.User}},
			"system \"You plan.\" 0-9:- | user \"--- Conversation History ---\\nuser: Ship it\\n\\n-----------------------------\\n\\n\\nGo on.\" 0-35:- 35-42:0 42-82:-",
		},
		{
			"changed, dropped and added", "<{{#each history}}{{this.content}},{{/each}}>", 2,
			[]model.Entry{{Index: 0, Fate: model.WasDropped}, {Index: model.NoMessage, Fate: model.Added, Content: &model.EntryContent{Text: []model.Piece{{Insert: "sum"}}}}, {Index: 1, Fate: model.WasChanged, Content: &model.EntryContent{Text: changed}}},
			"user \"<sum,Wh,>\" 0-5:- 5-7:~1 7-9:-",
		},
		{"an empty turn has no range", "{{#each history}}[{{this.content}}]{{/each}}", 2, []model.Entry{{Index: 2}}, "user \"[]\" 0-2:-"},
		{"nothing left, recorded call", defaultTemplate, 1, []model.Entry{{Index: 0, Fate: model.WasDropped}}, "system \"You plan.\" 0-9:- | user \"Go on.\" 0-6:-"},
		{"not recorded is not rendered", "{{#each history}}{{this.content}}{{/each}}", 2, []model.Entry{{Index: 0, Fate: model.Unrecorded}, {Index: 1}}, "user \"When?\" 0-5:1"},
		{
			"the history twice", "{{#each history}}{{this.content}} {{/each}}{{#each history}}{{this.content}}{{/each}}", 2,
			[]model.Entry{{Index: 0}, {Index: 1}},
			"user \"Ship it When? Ship itWhen?\" 0-7:0 7-8:- 8-13:1 13-14:- 14-21:0 21-26:1",
		},
	} {
		run, thread := clarification(c.template)
		r, err := Of(run, thread, thread.Template)
		if err != nil {
			t.Fatal(err)
		}
		v := &model.View{Call: c.call, Entries: c.entries}
		list, err := r.Render(v, func(e *model.Entry) (string, error) { return run.EntryText(thread, e) })
		if err != nil {
			t.Fatal(err)
		}
		if got := shown(list); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
		if len(list) != r.Sent(c.call) {
			t.Errorf("%s: %d messages, announced %d", c.name, len(list), r.Sent(c.call))
		}
	}
}

func shown(list []model.Entry) string {
	var messages []string
	for i := range list {
		e := &list[i]
		words := []string{e.Role.String(), fmt.Sprintf("%q", model.Join("", e.Text()))}
		for _, s := range e.Sources() {
			index := "-"
			if at, ok := s.Index.Get(); ok {
				index = strings.Repeat("~", int(s.Fate)) + fmt.Sprint(at)
			}
			words = append(words, fmt.Sprintf("%d-%d:%s", s.Start, s.End, index))
		}
		messages = append(messages, strings.Join(words, " "))
	}
	return strings.Join(messages, " | ")
}

// TestRecorded returns the messages of a recorded request unchanged.
func TestRecorded(t *testing.T) {
	run, thread := clarification(loopBlock)
	want := "system \"You plan.\" 0-9:- | user \"user: Ship it\\n\\n\\nGo on.\" 0-6:- 6-13:0 13-22:-"
	if got := shown(Recorded(run, &thread.Calls[0])); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestOf finds no renderer for messages and for templates that cannot be parsed.
func TestOf(t *testing.T) {
	run, thread := clarification("{{#each history}}")
	if r, err := Of(run, thread, thread.Template); r != nil || err == nil {
		t.Errorf("an open block: %v, %v", r, err)
	}
	for _, kind := range []model.TemplateKind{model.NoTemplate, model.UnknownTemplate, model.TaskSection} {
		if r, err := Of(run, thread, model.Template{Kind: kind}); r != nil || err != nil {
			t.Errorf("kind %d: %v, %v", kind, r, err)
		}
	}
	if r, err := Of(nil, thread, thread.Template); r != nil || err != nil {
		t.Errorf("without a run: %v, %v", r, err)
	}
}
