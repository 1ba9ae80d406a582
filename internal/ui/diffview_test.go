package ui

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/curate"
	"agentlens/internal/export"
	"agentlens/internal/model"
	"agentlens/internal/ui/uitest"
	"agentlens/internal/ui/worddiff"
)

func TestDiffOfFullAndView(t *testing.T) {
	d := open(t, 120, 36, withChain("truncate_tool_results(60) | sliding_window(20)"), func(c *Config) { c.Call = 9 }).Press("d")
	d.Shows("full history against what the provider saw · call 9 · simulated", "~ 5 tool", "[-", "+}", "- 1 user · 24 tokens", " the same")
	d.Press(".", ".", "enter").Shows("▎▸  2 asst", "provider saw")
	open(t, 120, 36).Press("d").Shows("reconstructed", "+ added user", "12 dropped", "Summary: Casa do").Press(",").Shows("no other change this way").Press("esc").Shows("full history")
}

func TestDiffOfCalls(t *testing.T) {
	d := open(t, 120, 36).Press("d", "d").Shows("call 13 (reconstructed) against next", "+ 34 assistant")
	d.Press("[").Shows("call 12 (reconstructed) against call 13").Press("esc").Shows("◀ 12/13 ▶")
	d.Press("g", "5", "enter", "d", "d").Shows("call 5 (not recorded — what-if) against call 6 (reconstructed)", "── the prefix breaks here")
	d.Press("d").Shows("full history against").Press("/").Type("nothing like it").Press("enter").Shows("not found").Press("esc")
	open(t, 120, 36, withChain("passthrough")).Press("d").Shows("nothing differs")
}

func TestDiffInColour(t *testing.T) {
	cfg := Config{Name: "x", Gate: newGate(t), Load: load(uitest.Run()), Chain: "truncate_tool_results(60)", Call: 9}
	d := openTheme(t, 120, 36, cfg, newTheme(false, trueColour)).Press("d").Shows("~ 5 tool").Lacks("[-", "+}")
	if !strings.Contains(d.r.View(), d.r.th.sgr[noShade][deleted]+`128,"rating"`) {
		t.Error("what was deleted is not coloured")
	}
}

// A diff of a secret shows its mask on both sides.
func TestDiffMasksSecrets(t *testing.T) {
	open(t, 160, 60, withChain("truncate_turns(3)"), func(c *Config) { c.Call = 5 }).Press("d").Lacks(uitest.Secret(), uitest.Secret()[8:20])
}

// Every message of both lists stands in exactly one row, in order.
func TestMergeRowsKeepsEveryMessage(t *testing.T) {
	chains := []string{"passthrough", "sliding_window(5)", "truncate_tool_results(40)", "compact(100 tok, keep=3 msgs)", "collapse_tool_groups", "clear_tool_uses(50 tok, keep=1)"}
	run := uitest.Run()
	thread := run.Threads[0]
	r := rand.New(rand.NewPCG(7, 8))
	views := func() []*model.Entry {
		chain, err := curate.Parse(chains[r.IntN(len(chains))])
		if err != nil {
			t.Fatal(err)
		}
		rep, err := curate.Replay(context.Background(), curate.Input{Run: run, Thread: thread, Sizes: curate.Guess(thread)}, chain)
		if err != nil {
			t.Fatal(err)
		}
		return sentOf(rep.View(1 + r.IntN(len(thread.Calls)+1)))
	}
	for range 200 {
		a, b := views(), views()
		i, j := 0, 0
		for _, row := range mergeRows(a, b) {
			if row.a != nil {
				if row.a != a[i] {
					t.Fatal("an old message is missing or out of place")
				}
				i++
			}
			if row.b != nil {
				if row.b != b[j] {
					t.Fatal("a new message is missing or out of place")
				}
				j++
			}
		}
		if i != len(a) || j != len(b) {
			t.Fatalf("%d of %d old and %d of %d new ones", i, len(a), j, len(b))
		}
	}
}

func TestWrapPartsKeepsAllText(t *testing.T) {
	gate := newGate(t)
	s := gate.Text("the quick brown 日本語 fox jumps over averyveryverylongword and the lazy dog")
	n := len(s.String())
	for width := 10; width < 60; width++ {
		parts := []part{{s, 0, 20, worddiff.Same}, {s, 20, 40, worddiff.Deleted}, {s, 40, n, worddiff.Inserted}}
		var all strings.Builder
		for _, l := range wrapParts(parts, width, true) {
			all.WriteString((&line{parts: l}).words())
		}
		if all.String() != s.String() {
			t.Fatalf("at %d: %q", width, all.String())
		}
	}
}

func TestLongDiffIsFolded(t *testing.T) {
	var gate *export.Gate = newGate(t)
	text := gate.Text(strings.Repeat("a line\n", 500))
	kept, fold, more := folded(addPiece(addPiece(nil, text, worddiff.Piece{Kind: worddiff.Same, To: 1400}), text, worddiff.Piece{Kind: worddiff.Deleted, From: 1400, To: 3500}))
	hidden := more
	for _, n := range fold {
		hidden += n
	}
	if len(kept) > 3*diffLong || len(kept)+hidden != 501 {
		t.Errorf("%d lines shown, %d hidden", len(kept), hidden)
	}
}

func TestDiffAtEverySize(t *testing.T) {
	d := open(t, 120, 36, withChain(tryChain)).Press("d")
	for _, size := range [][2]int{{300, 80}, {40, 9}, {60, 12}, {120, 36}} {
		d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]}).Press(".", ".", "j", "G").Screen()
	}
}

// This run against another: what each says, whatever ids and times are.
func TestDiffOfRuns(t *testing.T) {
	other := uitest.Run()
	other.ID = "the-other"
	closed := 0
	opens := func(c *Config) {
		c.Open = func(_ context.Context, name string) (*model.Run, func(), error) {
			switch name {
			case "none":
				return nil, nil, errors.New("none: no such file")
			case "code":
				return uitest.Code(), func() { closed++ }, nil
			}
			return other, func() { closed++ }, nil
		}
	}
	d := open(t, 120, 36, opens).Press(":").Type("diff other").Press("enter").Shows("this run against the-other, thread", "35 the same · 0 changed · 0 gone · 0 new", "nothing differs").Lacks("other diff")
	d.Press("d", "]").Shows("the-other").Press("esc").Shows("full history")
	d.Press(":").Type("diff none").Press("enter").Shows("these cannot be compared: none: no such file")
	d.Press(":").Type("diff code").Press("enter").Shows("this run against code", "- 0 system", "+ ").Lacks(uitest.Secret()).Press(".", "enter").Shows("▎▸  0 sys")
	if closed != 2 {
		t.Errorf("%d of 2 runs were closed", closed)
	}
	open(t, 120, 36).Press(":").Type("diff x").Shows("no other run can be opened here")
}
