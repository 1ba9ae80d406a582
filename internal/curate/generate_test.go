package curate

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/source"
)

// conversation makes a thread of about n messages with everything that goes
// wrong in real ones: parallel calls, missing, late, early, duplicate and orphan
// results, reused ids, results without an id, several system messages, empty and
// huge contents, CJK, emoji and combining marks.
func conversation(seed uint64, n int) (*model.Run, *model.Thread) {
	g := newGenerator(seed)
	if g.rnd.IntN(4) > 0 {
		g.add(model.Message{Role: model.System}, g.text())
	}
	for g.b.Len() < n {
		g.beat()
	}
	thread := g.b.Build()
	return &model.Run{ID: "r", Threads: []*model.Thread{thread}, Bodies: g.arena}, thread
}

func newGenerator(seed uint64) *generator {
	return &generator{rnd: rand.New(rand.NewPCG(seed, 7)), arena: &source.Arena{}, b: model.NewThread("t", "main")}
}

type generator struct {
	rnd    *rand.Rand
	arena  *source.Arena
	b      *model.ThreadBuilder
	ids    int
	late   []string
	number int
	unique bool // no id is used twice
}

var words = strings.Fields("read file error fix test invoice cents ledger round 日本語 テスト e\u0301a\u0301 👩‍💻 naïve {\"a\":1} func main() \u0301\u0302\u0303")

func (g *generator) text() string {
	n := g.rnd.IntN(40)
	switch g.rnd.IntN(20) {
	case 0:
		n = 0
	case 1:
		n = 800
	}
	var b strings.Builder
	for range n {
		b.WriteString(words[g.rnd.IntN(len(words))])
		b.WriteByte(" \n"[g.rnd.IntN(2)])
	}
	return b.String()
}

func (g *generator) add(m model.Message, text string) int {
	if ref := g.arena.Add(text, "test"); text != "" {
		m.Parts = append(m.Parts, model.Part{Kind: model.Text, Body: ref})
	}
	m.ID = fmt.Sprint("m", g.b.Len())
	return g.b.Add(m)
}

func (g *generator) reply(calls int) []string {
	g.number++
	given := g.b.Len()
	m := model.Message{Role: model.Assistant}
	var ids []string
	for range calls {
		g.ids++
		id := fmt.Sprintf("c%d", g.ids)
		if !g.unique && g.rnd.IntN(30) == 0 {
			id = "c1"
		}
		ids = append(ids, id)
		tool := []string{"read", "bash", "search"}[g.rnd.IntN(3)]
		m.Calls = append(m.Calls, model.ToolCall{ID: id, Name: tool, Args: g.arena.Add(`{"q":"x"}`, "test")})
	}
	text := g.text()
	if calls > 0 && g.rnd.IntN(2) == 0 {
		text = ""
	}
	if g.rnd.IntN(3) == 0 {
		m.Parts = append(m.Parts, model.Part{Kind: model.Thinking, Body: g.arena.Add("thinking about "+words[g.rnd.IntN(len(words))]+strings.Repeat(" again", g.rnd.IntN(30)), "test")})
	}
	i := g.add(m, text)
	t := g.b.Thread()
	t.Calls = append(t.Calls, model.Call{Number: g.number, Given: given, Reply: model.Some(i)})
	return ids
}

func (g *generator) beat() {
	switch g.rnd.IntN(12) {
	case 0, 1, 2:
		g.add(model.Message{Role: model.User}, g.text())
	case 3:
		g.reply(0)
	case 4:
		g.add(model.Message{Role: model.Tool, CallID: fmt.Sprintf("orphan%d", g.ids)}, g.text())
	case 5:
		if g.rnd.IntN(3) == 0 {
			g.add(model.Message{Role: model.System}, g.text())
		}
	case 6:
		g.add(model.Message{Role: model.Tool}, g.text())
	case 7:
		for _, id := range g.late {
			g.add(model.Message{Role: model.Tool, CallID: id}, g.text())
		}
		g.late = nil
	case 8:
		g.add(model.Message{Role: model.Tool, CallID: fmt.Sprintf("c%d", g.ids+1)}, g.text()) // before its call
	default:
		for _, id := range g.reply(1 + g.rnd.IntN(3)) {
			switch g.rnd.IntN(12) {
			case 0: // never answered
			case 1:
				g.late = append(g.late, id)
			case 2:
				g.add(model.Message{Role: model.Tool, CallID: id}, g.text())
				g.add(model.Message{Role: model.Tool, CallID: id}, g.text())
			default:
				g.add(model.Message{Role: model.Tool, CallID: id, IsError: g.rnd.IntN(9) == 0}, g.text())
			}
		}
	}
}
