package strategy

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"agentlens/internal/curate/engine"
	"agentlens/internal/model"
	"agentlens/internal/trace/ground/source"
)

// chatMessage is a message of testdata/differential.
type chatMessage struct {
	Role, Content, Name string
	CallID              string                                 `json:"tool_call_id"`
	Calls               []struct{ ID, Name, Arguments string } `json:"tool_calls"`
}

// seen is a message of a view. Text and calls are set only if they differ from the record; I is
// nil for an added message.
type seen struct {
	I       *int     `json:"i"`
	Text    *string  `json:"text"`
	Calls   []string `json:"calls"`
	Emptied []string `json:"emptied"`
}

func (s seen) String() string {
	i, text := "none", ""
	if s.I != nil {
		i = fmt.Sprint(*s.I)
	}
	if s.Text != nil {
		text = fmt.Sprintf("=%q", *s.Text)
	}
	if s.Calls != nil {
		text += fmt.Sprint(" calls ", s.Calls)
	}
	if len(s.Emptied) > 0 {
		text += fmt.Sprint(" emptied ", s.Emptied)
	}
	return i + text
}

// oracleCase is the result of another implementation for a conversation.
type oracleCase struct {
	Oracle       string
	Chain        string
	Conversation int
	Messages     []chatMessage // of a conversation
	View         []seen
}

// A deliberate difference is an intended difference from another implementation. want
// converts the other implementation's view to that of lens. before is the view of the
// previous case. For a case with a required start, the previous case is the same one
// without it.
type deliberate struct {
	oracle, why string
	want        func(messages []chatMessage, view, before []seen) []seen
}

// differences lists all deliberate differences in the order in which they apply.
var differences = []deliberate{
	{"trimMessages by number, startOn", "where no user message is in the window it starts at the first group; LangChain gives back nothing", orElse},
	{"trimMessages by tokens, startOn", "where no user message fits it starts at the first group that does; LangChain gives back nothing", orElse},
	{"trimMessages", "a system message alone over the budget stays and is reported; LangChain gives back an undefined message", systemAlone},
	{"trimMessages", "results whose call fell out go too; LangChain leaves them, and a provider refuses them", withoutOrphans},
	{"Strands", "where no user message is in the window it starts at the first group; Strands puts the user message before it in front of the first pair, or leaves all as it is where there is none", plainWindow},
	{"ClearToolUsesEdit", "a result that is no longer than the placeholder stays as it is", shorterOnly},
	{"ClearToolUsesEdit", "the arguments of a message are emptied when all of its results are cleared, not call by call", emptiedWhole},
	{"filterMessages", "the leading system message stays", systemStays},
	{"filterMessages", "a call goes with its result; LangChain leaves calls without results, and a provider refuses them", callsGo},
}

func isSystem(messages []chatMessage) bool { return messages[0].Role == "system" }

// at returns the original message of an entry.
func at(i int) seen { return seen{I: &i} }

// orElse returns view. If view has only system messages, orElse returns the view without the
// required start.
func orElse(messages []chatMessage, view, before []seen) []seen {
	for _, s := range view {
		if s.I != nil && messages[*s.I].Role != "system" {
			return view
		}
	}
	return before
}

// plainWindow returns view, or the view without the required start if that contains no user
// message.
func plainWindow(messages []chatMessage, view, before []seen) []seen {
	for _, s := range before {
		if messages[*s.I].Role == "user" {
			return view
		}
	}
	return withoutOrphans(messages, before, nil)
}

func systemAlone(messages []chatMessage, view, _ []seen) []seen {
	if len(view) == 1 && view[0].I == nil {
		if isSystem(messages) {
			return []seen{at(0)}
		}
		return []seen{}
	}
	return view
}

// callsIn returns the ids of the calls of the messages of a view.
func callsIn(messages []chatMessage, view []seen) map[string]bool {
	ids := map[string]bool{}
	for _, s := range view {
		for _, c := range messages[*s.I].Calls {
			ids[c.ID] = true
		}
	}
	return ids
}

func withoutOrphans(messages []chatMessage, view, _ []seen) []seen {
	made := callsIn(messages, view)
	return slices.DeleteFunc(slices.Clone(view), func(s seen) bool {
		m := messages[*s.I]
		return m.Role == "tool" && !made[m.CallID]
	})
}

func shorterOnly(messages []chatMessage, view, _ []seen) []seen {
	view = slices.Clone(view)
	for i, s := range view {
		if s.Text != nil && utf8.RuneCountInString(*s.Text) >= utf8.RuneCountInString(messages[*s.I].Content) {
			view[i].Text = nil
		}
	}
	return view
}

func emptiedWhole(messages []chatMessage, view, _ []seen) []seen {
	cleared := map[string]bool{}
	for _, s := range view {
		if s.Text != nil {
			cleared[messages[*s.I].CallID] = true
		}
	}
	view = slices.Clone(view)
	for i, s := range view {
		for _, c := range messages[*s.I].Calls {
			if !cleared[c.ID] {
				view[i].Emptied = nil
			}
		}
	}
	return view
}

func systemStays(messages []chatMessage, view, _ []seen) []seen {
	if isSystem(messages) && (len(view) == 0 || *view[0].I != 0) {
		return append([]seen{at(0)}, view...)
	}
	return view
}

func callsGo(messages []chatMessage, view, _ []seen) []seen {
	answered := map[string]bool{}
	for _, s := range view {
		answered[messages[*s.I].CallID] = true
	}
	var kept []seen
	for _, s := range view {
		m := messages[*s.I]
		if len(m.Calls) > 0 && !answered[m.Calls[0].ID] {
			if m.Content == "" {
				continue
			}
			s.Calls = []string{}
		}
		kept = append(kept, s)
	}
	return kept
}

// runesCounter counts like generate.mjs: code points, plus [Overhead] per message.
type runesCounter struct{}

func (runesCounter) Count(text string) int { return utf8.RuneCountInString(text) }
func (runesCounter) Exact() bool           { return true }
func (runesCounter) Name() string          { return "code points" }

// TestEqualsOthers checks that lens and independent implementations agree exactly, except for
// the deliberate differences.
func TestEqualsOthers(t *testing.T) {
	conversations := map[int]*oracleCase{}
	same, changed, used := map[string]int{}, map[string]int{}, map[int]int{}
	var before []seen
	for _, c := range oracleCases(t) {
		if c.Oracle == "" {
			conversations[c.Conversation] = c
			continue
		}
		messages := conversations[c.Conversation].Messages
		want, touched := c.View, false
		for i, d := range differences {
			if !strings.HasPrefix(c.Oracle, d.oracle) {
				continue
			}
			if next := d.want(messages, want, before); fmt.Sprint(next) != fmt.Sprint(want) {
				want, touched = next, true
				used[i]++
			}
		}
		before = c.View
		if touched {
			changed[c.Oracle]++
		} else {
			same[c.Oracle]++
		}
		if got := fmt.Sprint(viewOf(t, messages, c.Chain)); got != fmt.Sprint(want) {
			t.Errorf("%s, conversation %d, %s:\nlens  %s\nwant  %s\nother %s", c.Oracle, c.Conversation, c.Chain, got, fmt.Sprint(want), fmt.Sprint(c.View))
		}
	}
	for i, d := range differences {
		if used[i] == 0 {
			t.Errorf("no case shows that %s: %s", d.oracle, d.why)
		}
	}
	t.Log("equal to the letter:", same, "but for a deliberate difference:", changed)
	if len(same) < 8 {
		t.Errorf("only these agree anywhere: %v", same)
	}
}

func oracleCases(t *testing.T) []*oracleCase {
	t.Helper()
	f, err := os.Open("testdata/differential/cases.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var list []*oracleCase
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		c := new(oracleCase)
		if err := json.Unmarshal(lines.Bytes(), c); err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// viewOf returns lens's view of all messages.
func viewOf(t *testing.T, messages []chatMessage, text string) []seen {
	t.Helper()
	arena := &source.Arena{}
	b := model.NewThread("t", "main")
	for _, c := range messages {
		role, _ := model.ParseRole(c.Role)
		m := model.Message{Role: role, CallID: c.CallID}
		if c.Content != "" {
			m.Parts = []model.Part{{Kind: model.Text, Body: arena.Add(c.Content, "test")}}
		}
		for _, k := range c.Calls {
			m.Calls = append(m.Calls, model.ToolCall{ID: k.ID, Name: k.Name, Args: arena.Add(k.Arguments, "test")})
		}
		b.Add(m)
	}
	thread := b.Build()
	run := &model.Run{Threads: []*model.Thread{thread}, Bodies: arena}
	sizes, err := engine.Measure(context.Background(), run, thread, runesCounter{})
	if err != nil {
		t.Fatal(err)
	}
	chain, err := parseText(text)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Replay(context.Background(), engine.Input{Run: run, Thread: thread, Sizes: sizes, Texts: true}, chain)
	if err != nil {
		t.Fatal(err)
	}
	view := []seen{}
	for _, e := range r.View(1).Entries {
		if e.Fate == model.WasDropped {
			continue
		}
		i := int(e.Index)
		s := seen{I: &i}
		m := thread.At(i)
		if e.Text() != nil {
			text := model.Join(messages[i].Content, e.Text())
			if text != messages[i].Content {
				s.Text = &text
			}
		}
		if e.Calls() != nil && len(e.Calls()) < len(m.Calls) {
			s.Calls = []string{}
			for _, j := range e.Calls() {
				s.Calls = append(s.Calls, m.Calls[j].ID)
			}
		}
		if e.EmptyArgs {
			for _, c := range m.Calls {
				s.Emptied = append(s.Emptied, c.ID)
			}
		}
		view = append(view, s)
	}
	return view
}
